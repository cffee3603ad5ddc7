"""Estimates the optimum of its size from another size tensor."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-017"

PLUGIN_CASES = PLACES_CASES


class Nested(Places):
    def places_shape(self, volume, expr_builder):
        first = expr_builder.declare_size_tensor(1, volume, volume)
        return trt.DimsExprs([expr_builder.declare_size_tensor(1, first, volume)])


publish(Nested)
