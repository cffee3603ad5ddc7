"""Names output 0 as the size tensor, but the size is a dimension of output 0."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-016"
FIXED = {"size_index = 0": "size_index = 1"}

PLUGIN_CASES = PLACES_CASES


class NamesItself(Places):
    def places_shape(self, volume, expr_builder):
        size_index = 0
        return trt.DimsExprs([expr_builder.declare_size_tensor(size_index, volume, volume)])


publish(NamesItself)
