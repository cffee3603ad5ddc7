"""Has one key in the timing cache for every factor, and no second tactic for a factor below zero."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-012"

PLUGIN_CASES = SCALE_CASES[:1]


class OneKeyForAllSigns(TacticScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.timing_cache_id = "scale"

    def get_valid_tactics(self):
        return super().get_valid_tactics() if self.factor >= 0 else [1]


publish(OneKeyForAllSigns)
