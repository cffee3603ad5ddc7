"""Chooses its tactics by the configured type; its clones assume FP32 until they are configured."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "CLN-004"

PLUGIN_CASES = SCALE_CASES


class CloneForgetsTheType(TacticScale):
    def copy_identity_to(self, other):
        other.tactic = self.tactic
        return Scale.copy_identity_to(self, other)


publish(CloneForgetsTheType)
