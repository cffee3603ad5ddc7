"""A sound plugin for witnesses to build upon: two inputs, two outputs, ``a + factor * b`` and ``a - factor * b``.

It registers nothing when it is imported.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator, device_array


class Pair(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.plugin_type = "Pair"
        self.num_outputs = 2

    def get_output_datatype(self, index, input_types):
        return input_types[0] if index in (0, 1) and input_types else trt.DataType.FLOAT

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            a, b = map(device_array, input_desc, inputs)
            total, difference = map(device_array, output_desc, outputs)
            scaled = b * b.dtype.type(self.factor)
            total[...] = a + scaled
            difference[...] = a - scaled


class PairCreator(ScaleCreator):
    plugin_class = Pair

    def __init__(self):
        super().__init__()
        self.name = "Pair"


def reference(a, b, *, fields):
    scaled = (b * np.float32(fields["factor"][0])).astype(b.dtype)
    return a + scaled, a - scaled


_INPUT = {
    "dims": ("N", "W"),
    "min": (0, 1),
    "opt": (2, 5),
    "max": (4, 9),
    "types": ("float32", "float16"),
}
PAIR_CASES = [
    {
        "plugin": "Pair",
        "name": "two-inputs",
        "fields": {"factor": np.array([0.5], np.float32)},
        "inputs": [_INPUT, _INPUT],
        "reference": reference,
    }
]
