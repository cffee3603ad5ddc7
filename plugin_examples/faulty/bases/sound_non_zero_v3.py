"""A sound IPluginV3 with a size tensor, on which witnesses build: the places of the elements that are not zero.

Output 0 holds the places in the flattened input, output 1 is the size tensor. It registers nothing when it is imported.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import Scale, device_array


class Places(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.num_outputs = 2

    def get_output_data_types(self, input_types):
        return [trt.DataType.INT32, trt.DataType.INT32]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        volume = expr_builder.constant(1)
        for extent in inputs[0]:
            volume = expr_builder.operation(trt.DimensionOperation.PROD, volume, extent)
        return [self.places_shape(volume, expr_builder), trt.DimsExprs(0)]

    def places_shape(self, volume, expr_builder):
        half = expr_builder.operation(trt.DimensionOperation.FLOOR_DIV, volume, expr_builder.constant(2))
        return trt.DimsExprs([expr_builder.declare_size_tensor(1, half, volume)])

    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos].desc
        if here.format != trt.TensorFormat.LINEAR:
            return False
        return here.type == (trt.DataType.FLOAT if pos == 0 else trt.DataType.INT32)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            count = self.integers(outputs[1], 1)
            count.fill(0)
            if trt.volume(input_desc[0].dims) == 0:
                return
            found = device_array(input_desc[0], inputs[0]).ravel() != 0
            self.write_count(count, found)
            places = cp.where(found, cp.cumsum(found), found.sum() + cp.cumsum(~found)) - 1
            self.integers(outputs[0], found.size)[places] = cp.arange(found.size)

    def write_count(self, count, found):
        count[0] = found.sum()

    def integers(self, address, size):
        memory = cp.cuda.UnownedMemory(address, 4 * size, self)
        return cp.ndarray((size,), np.dtype(np.int32), cp.cuda.MemoryPointer(memory, 0))


def reference(x, *, fields):
    found = np.flatnonzero(x).astype(np.int32)
    return found, np.int32(len(found))


PLACES_CASES = [
    {
        "plugin": "Scale",
        "name": "sparse",
        "fields": {"factor": np.array([1.0], np.float32)},
        "inputs": [
            {
                "dims": ("N", "M"),
                "min": (0, 1),
                "opt": (3, 5),
                "max": (6, 8),
                "values": lambda rng, shape, dtype: rng.integers(-1, 2, shape).astype(dtype),
            }
        ],
        "reference": reference,
    }
]
