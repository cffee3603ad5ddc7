"""Takes UINT8 pixels, which plugins cannot have."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-011"
FIXED = {
    "TYPES = (trt.DataType.FLOAT, trt.DataType.HALF, trt.DataType.UINT8)": (
        "TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)"
    ),
}

PLUGIN_CASES = SCALE_CASES

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF, trt.DataType.UINT8)


class Uint8Accepted(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        return here.format == trt.TensorFormat.LINEAR and here.type in TYPES and here.type == in_out[0].type


publish(Uint8Accepted)
