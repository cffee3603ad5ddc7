"""Reserves memory for pairs of elements, and none for the last of an odd number."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-018"

PLUGIN_CASES = PLACES_CASES


class PairsReserved(Places):
    def places_shape(self, volume, expr_builder):
        two = expr_builder.constant(2)
        pairs = expr_builder.operation(trt.DimensionOperation.FLOOR_DIV, volume, two)
        even = expr_builder.operation(trt.DimensionOperation.PROD, pairs, two)
        return trt.DimsExprs([expr_builder.declare_size_tensor(1, pairs, even)])


publish(PairsReserved)
