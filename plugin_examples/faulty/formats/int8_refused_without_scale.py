"""Refuses INT8 as long as the scale is -1.0, which it is when TensorRT asks."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-019"

PLUGIN_CASES = SCALE_CASES


class RefusedWithoutScale(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if here.type != trt.DataType.INT8:
            return super().supports_format_combination(pos, in_out, num_inputs)
        return here.format == trt.TensorFormat.LINEAR and here.scale > 0 and in_out[0].type == here.type


publish(RefusedWithoutScale)
