"""Has the same key in the timing cache for all factors, and another number of tactics for large ones."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-012"

PLUGIN_CASES = SCALE_CASES


LARGE = 2


class OneKey(TacticScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.timing_cache_id = "scale"

    def get_valid_tactics(self):
        return super().get_valid_tactics() if abs(self.factor) < LARGE else [1]


publish(OneKey)
