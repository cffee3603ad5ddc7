"""Reports a NumPy type, which the bindings take for FLOAT without a message."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "OUT-009"

PLUGIN_CASES = SCALE_CASES


class NumpyTypeReported(Scale):
    def get_output_datatype(self, index, input_types):
        return trt.nptype(input_types[0])


publish(NumpyTypeReported)
