"""Returns its tactics in another order each time."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-009"

PLUGIN_CASES = SCALE_CASES


class Reordered(TacticScale):
    step = 1

    def get_valid_tactics(self):
        self.step = -self.step
        return super().get_valid_tactics()[:: self.step]


publish(Reordered)
