"""Adds to its key of the timing cache that it has been configured for FP16 as well."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "TAC-010"

PLUGIN_CASES = SCALE_CASES


class KeyOfFormats(TacticScale):
    def configure_plugin(self, inputs, outputs):
        super().configure_plugin(inputs, outputs)
        if inputs[0].desc.type == trt.DataType.HALF:
            self.timing_cache_id = f"factor={self.factor},half"


publish(KeyOfFormats)
