"""Passes optimum and upper bound in the wrong order: the optimum is twice the bound."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-021"
FIXED = {
    "declare_size_tensor(1, double, volume)": "declare_size_tensor(1, volume, double)",
}

PLUGIN_CASES = PLACES_CASES


class Swapped(Places):
    def places_shape(self, volume, expr_builder):
        double = expr_builder.operation(trt.DimensionOperation.PROD, volume, expr_builder.constant(2))
        return trt.DimsExprs([expr_builder.declare_size_tensor(1, double, volume)])


publish(Swapped)
