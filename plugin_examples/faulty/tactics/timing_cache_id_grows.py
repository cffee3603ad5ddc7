"""Adds the type that it is configured for to its key of the timing cache."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-010"

PLUGIN_CASES = SCALE_CASES


class KeyOfTypes(TacticScale):
    def configure_plugin(self, inputs, outputs):
        super().configure_plugin(inputs, outputs)
        self.timing_cache_id = f"factor={self.factor},half={self.half}"


publish(KeyOfTypes)
