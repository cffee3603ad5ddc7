"""Accepts INT8 inputs, but then refuses every output."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-010"

PLUGIN_CASES = SCALE_CASES


class Int8LeadsNowhere(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if here.type == trt.DataType.INT8:
            return pos == 0 and here.format == trt.TensorFormat.LINEAR
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(Int8LeadsNowhere)
