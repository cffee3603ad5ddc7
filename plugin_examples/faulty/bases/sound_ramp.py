"""A sound plugin for witnesses to build upon: no input, one output, ``factor * (0, 1, 2, ...)`` of eight elements.

It registers nothing when it is imported.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator, device_array

LENGTH = 8


class Ramp(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.plugin_type = "Ramp"

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        return trt.DimsExprs([expr_builder.constant(LENGTH)])

    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        return here.format == trt.TensorFormat.LINEAR and here.type in (trt.DataType.FLOAT, trt.DataType.HALF)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            y = device_array(output_desc[0], outputs[0])
            y[...] = cp.arange(LENGTH, dtype=np.float32) * np.float32(self.factor)


class RampCreator(ScaleCreator):
    plugin_class = Ramp

    def __init__(self):
        super().__init__()
        self.name = "Ramp"


def reference(*, fields):
    return np.arange(LENGTH, dtype=np.float32) * np.float32(fields["factor"][0])


RAMP_CASES = [
    {
        "plugin": "Ramp",
        "name": "no-input",
        "fields": {"factor": np.array([0.25], np.float32)},
        "inputs": [],
        "reference": reference,
    }
]
