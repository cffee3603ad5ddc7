"""Reports its size tensor as FLOAT."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "OUT-006"

PLUGIN_CASES = PLACES_CASES


class FloatSize(Places):
    def get_output_data_types(self, input_types):
        return [trt.DataType.INT32, trt.DataType.FLOAT]


publish(FloatSize)
