"""Declares that no more than half of the elements can be found."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-018"

PLUGIN_CASES = PLACES_CASES


class HalfExpected(Places):
    def places_shape(self, volume, expr_builder):
        half = expr_builder.operation(trt.DimensionOperation.CEIL_DIV, volume, expr_builder.constant(2))
        return trt.DimsExprs([expr_builder.declare_size_tensor(1, half, half)])


publish(HalfExpected)
