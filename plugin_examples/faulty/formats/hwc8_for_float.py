"""Takes FP32 in HWC8, a layout that TensorRT has for 16-bit types only."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-009"

PLUGIN_CASES = SCALE_CASES


class Hwc8ForFloat(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if here.format == trt.TensorFormat.HWC8:
            return here.type == trt.DataType.FLOAT and in_out[0].format == here.format
        return super().supports_format_combination(pos, in_out, num_inputs) and in_out[0].format == here.format


publish(Hwc8ForFloat)
