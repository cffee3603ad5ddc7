"""Reports FLOAT for output 1, which it knows not to exist, and the input's type for all others."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "OUT-003"

PLUGIN_CASES = SCALE_CASES


class NextOutputAloneIsFloat(Scale):
    def get_output_datatype(self, index, input_types):
        return trt.DataType.FLOAT if index in {-1, 1} or not input_types else input_types[0]


publish(NextOutputAloneIsFloat)
