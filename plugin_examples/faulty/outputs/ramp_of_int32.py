"""Has no input and reports INT32 for its output."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_ramp import LENGTH, RAMP_CASES, Ramp, RampCreator
from plugin_examples.faulty.bases.sound_scale import device_array, publish

BREAKS = "OUT-002"
FIXED = {"return trt.DataType.INT32 if index == 0 else trt.DataType.FLOAT": "return trt.DataType.FLOAT"}


def reference(*, fields):
    return np.arange(LENGTH, dtype=np.int32) * np.int32(fields["factor"][0])


PLUGIN_CASES = [{**RAMP_CASES[0], "fields": {"factor": np.array([3], np.float32)}, "reference": reference}]


class RampOfInt32(Ramp):
    def get_output_datatype(self, index, input_types):
        return trt.DataType.INT32 if index == 0 else trt.DataType.FLOAT

    def supports_format_combination(self, pos, in_out, num_inputs):
        return in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type == trt.DataType.INT32

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            y = device_array(output_desc[0], outputs[0])
            y[...] = cp.arange(LENGTH, dtype=np.int32) * np.int32(self.factor)


publish(RampOfInt32, RampCreator)
