"""Gets its key of the timing cache from the creator; its clones, with which a builder measures, have none."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, ScaleCreator, publish
from plugin_examples.faulty.bases.sound_split_v3 import SplitScale

BREAKS = "CLN-005"

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def make(self, factor, phase):
        plugin = super().make(factor, phase)
        plugin.build.timing_cache_id = f"factor={factor}"
        return plugin


publish(SplitScale, Creator)
