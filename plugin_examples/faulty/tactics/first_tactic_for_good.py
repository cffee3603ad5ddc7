"""Keeps the first tactic that it gets, and ignores later ones."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-007"

PLUGIN_CASES = SCALE_CASES


class FirstForGood(TacticScale):
    def set_tactic(self, tactic):
        if self.tactic is None:
            super().set_tactic(tactic)
        elif tactic not in (1, 2):
            raise ValueError(f"there is no tactic {tactic}")


publish(FirstForGood)
