"""Takes FP32 in CHW32 as well, and computes as if it were linear."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-012"

PLUGIN_CASES = SCALE_CASES


class WithoutAKernel(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if here.format == trt.TensorFormat.CHW32:
            return here.type == trt.DataType.FLOAT and in_out[0].format == here.format
        return super().supports_format_combination(pos, in_out, num_inputs) and in_out[0].format == here.format


publish(WithoutAKernel)
