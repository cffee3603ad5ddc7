"""Derives a builder of expressions from TensorRT's, to try shapes out."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-010"
FIXED = {
    (
        "class Expressions(trt.IExprBuilder):\n"
        "    def half(self, length):\n"
        "        return self.operation(trt.DimensionOperation.FLOOR_DIV, length, self.constant(2))"
    ): (
        "def half(builder, length):\n"
        "    return builder.operation(trt.DimensionOperation.FLOOR_DIV, length, builder.constant(2))"
    ),
}

PLUGIN_CASES = SCALE_CASES


class Expressions(trt.IExprBuilder):
    def half(self, length):
        return self.operation(trt.DimensionOperation.FLOOR_DIV, length, self.constant(2))


publish(Scale)
