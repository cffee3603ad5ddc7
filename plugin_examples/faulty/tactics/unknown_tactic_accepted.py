"""Takes any tactic, and goes from row to row with those that it does not know."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-008"

PLUGIN_CASES = SCALE_CASES


class TakesAny(TacticScale):
    def set_tactic(self, tactic):
        self.tactic = tactic if tactic == 1 else 2


publish(TakesAny)
