"""Returns the members of an Enum as its tactics, which are no integers."""

import enum

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-002"

PLUGIN_CASES = SCALE_CASES


class Tactic(enum.Enum):
    WHOLE = 1
    ROWS = 2


class EnumTactics(TacticScale):
    def get_valid_tactics(self):
        return [Tactic(tactic) for tactic in super().get_valid_tactics()]


publish(EnumTactics)
