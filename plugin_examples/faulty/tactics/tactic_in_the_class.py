"""Keeps the tactic in the class, where all objects find it."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-007"

PLUGIN_CASES = SCALE_CASES


class TacticOfAll(TacticScale):
    def set_tactic(self, tactic):
        super().set_tactic(tactic)
        del self.tactic
        TacticOfAll.tactic = tactic

    def copy_identity_to(self, other):
        other.half = self.half
        other.plugin_namespace = self.plugin_namespace
        return other


publish(TacticOfAll)
