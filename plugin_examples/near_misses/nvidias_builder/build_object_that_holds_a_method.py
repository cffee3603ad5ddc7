"""Lets the BUILD object refer to the plugin by way of a bound method alone."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import SplitScale

LOOKS_LIKE = "GEN-003"

PLUGIN_CASES = SCALE_CASES


class HeldByAMethod(SplitScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        del self.build.plugin
        self.build.make_another = self.clone


publish(HeldByAMethod)
