"""Keeps the descriptor of the last format query, and reads the type from it when it is configured."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "CFG-015"
ALSO = {"CFG-011": "the rule asks for formats before it configures, and the last question makes configure_plugin raise"}

PLUGIN_CASES = SCALE_CASES


class KeepsTheQuestion(TacticScale):
    asked = None

    def supports_format_combination(self, pos, in_out, num_inputs):
        answer = super().supports_format_combination(pos, in_out, num_inputs)
        if pos == 0:
            self.asked = in_out[0].desc
        return answer

    def configure_plugin(self, inputs, outputs):
        super().configure_plugin(inputs, outputs)
        if self.asked is not None and self.asked.type not in (trt.DataType.FLOAT, trt.DataType.HALF):
            raise RuntimeError(f"it was asked about {self.asked.type} last")


publish(KeepsTheQuestion)
