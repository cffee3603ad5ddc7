"""Has the width that it runs with in its key of the timing cache."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-010"

PLUGIN_CASES = SCALE_CASES


class KeyOfShapes(TacticScale):
    def on_shape_change(self, inputs, outputs):
        self.timing_cache_id = f"factor={self.factor},width={inputs[0].dims[-1]}"


publish(KeyOfShapes)
