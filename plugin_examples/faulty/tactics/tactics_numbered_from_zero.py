"""Numbers its tactics from 0, which means the default tactic."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-001"

PLUGIN_CASES = SCALE_CASES


class FromZero(TacticScale):
    def get_valid_tactics(self):
        return [tactic - 1 for tactic in super().get_valid_tactics()]

    def set_tactic(self, tactic):
        super().set_tactic(tactic + 1)


publish(FromZero)
