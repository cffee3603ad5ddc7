"""Refuses FP32 if the output is FP16 in HWC8, and reads the output's descriptor before it is described."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_layouts import LAYOUTS_CASES, Layouts
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "FUZ-005"

PLUGIN_CASES = LAYOUTS_CASES


class TakenForTold(Layouts):
    def supports_format_combination(self, pos, in_out, num_inputs):
        output = in_out[num_inputs]
        is_packed = output.type == trt.DataType.HALF and output.format == trt.TensorFormat.HWC8
        if is_packed and in_out[0].type == trt.DataType.FLOAT:
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(TakenForTold)
