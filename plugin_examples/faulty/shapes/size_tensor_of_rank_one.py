"""Declares its size tensor with one element instead of none."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-015"
FIXED = {
    "trt.DimsExprs([expr_builder.constant(1)])": "trt.DimsExprs(0)",
}

PLUGIN_CASES = PLACES_CASES


class RankOne(Places):
    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        places, _ = super().get_output_shapes(inputs, shape_inputs, expr_builder)
        return [places, trt.DimsExprs([expr_builder.constant(1)])]


publish(RankOne)
