"""Offers a second tactic if its creator enables it, but its clones offer the first alone."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, ScaleCreator, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "CLN-002"

PLUGIN_CASES = SCALE_CASES


class CloneForgetsItsTactics(TacticScale):
    offered = (1,)

    def get_valid_tactics(self):
        return list(self.offered)


class Creator(ScaleCreator):
    def make(self, factor, phase):
        plugin = super().make(factor, phase)
        plugin.offered = (1, 2)
        plugin.timing_cache_id = f"factor={factor}"
        return plugin


publish(CloneForgetsItsTactics, Creator)
