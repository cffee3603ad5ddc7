"""Derives a builder of expressions from TensorRT's, to try shapes out."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-010"

PLUGIN_CASES = SCALE_CASES


class Expressions(trt.IExprBuilder):
    def half(self, extent):
        return self.operation(trt.DimensionOperation.FLOOR_DIV, extent, self.constant(2))


publish(Scale)
