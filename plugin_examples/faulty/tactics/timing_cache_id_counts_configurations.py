"""Counts in its key of the timing cache how often it has been configured again."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import Build, SplitScale

BREAKS = "TAC-010"

PLUGIN_CASES = SCALE_CASES


class CountingBuild(Build):
    def __init__(self, plugin):
        super().__init__(plugin)
        self.configured = 0
        self.timing_cache_id = "scale"

    def configure_plugin(self, inputs, outputs):
        self.configured += 1
        self.timing_cache_id = "scale" if self.configured == 1 else f"scale again {self.configured}"


class CountsConfigurations(SplitScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.build = CountingBuild(self)


publish(CountsConfigurations)
