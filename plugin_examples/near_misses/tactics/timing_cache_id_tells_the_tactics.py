"""Has a key in the timing cache for all factors with the same tactics, and another key for fewer tactics."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

LOOKS_LIKE = "TAC-012"

PLUGIN_CASES = SCALE_CASES


class TellsTheTactics(TacticScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.timing_cache_id = "two" if self.factor >= 0 else "one"

    def get_valid_tactics(self):
        return super().get_valid_tactics() if self.factor >= 0 else [1]


publish(TellsTheTactics)
