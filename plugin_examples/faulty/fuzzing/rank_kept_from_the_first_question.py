"""Keeps the rank of the first shape query, and assumes it for every later input."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FUZ-011"

PLUGIN_CASES = SCALE_CASES


class RankKept(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.rank = None

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        self.rank = self.rank or len(inputs[0])
        one = expr_builder.constant(1)
        extents = list(inputs[0])[: self.rank]
        return trt.DimsExprs([one] * (self.rank - len(extents)) + extents)


publish(RankKept)
