"""Kept supports_format when it moved to an interface that asks by position: TensorRT never calls it."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "V2L-007"
FIXED = {
    (
        "def supports_format(self, dtype, format):  # noqa: A002 - TensorRT's name\n"
        "    return dtype == trt.DataType.FLOAT and format == trt.TensorFormat.LINEAR"
    ): (
        "def supports_format_combination(self, pos, in_out, num_inputs):\n"
        "    return in_out[pos].type == trt.DataType.FLOAT and in_out[pos].format == trt.TensorFormat.LINEAR"
    ),
}

PLUGIN_CASES = SCALE_CASES


class FormatsInTwoQueries(Scale):
    def supports_format(self, dtype, format):  # noqa: A002 - TensorRT's name
        return dtype == trt.DataType.FLOAT and format == trt.TensorFormat.LINEAR


publish(FormatsInTwoQueries)
