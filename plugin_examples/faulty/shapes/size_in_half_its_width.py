"""Reports the size as INT64, and writes it as INT32: the upper half is what the memory held."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-019"

PLUGIN_CASES = PLACES_CASES
TYPES = (trt.DataType.FLOAT, trt.DataType.INT32, trt.DataType.INT64)


class HalfWritten(Places):
    def get_output_data_types(self, input_types):
        return list(TYPES[1:])

    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos].desc
        return here.format == trt.TensorFormat.LINEAR and here.type == TYPES[pos]


publish(HalfWritten)
