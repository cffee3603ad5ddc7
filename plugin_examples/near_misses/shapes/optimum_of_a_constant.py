"""States a constant as the optimum of its size tensor, which is above the bound for the smallest inputs alone."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

LOOKS_LIKE = "SHP-021"

PLUGIN_CASES = PLACES_CASES
USUAL = 4


class ConstantOptimum(Places):
    def places_shape(self, volume, expr_builder):
        return trt.DimsExprs([expr_builder.declare_size_tensor(1, expr_builder.constant(USUAL), volume)])


publish(ConstantOptimum)
