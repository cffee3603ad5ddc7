"""A sound IPluginV2IOExt for witnesses to build upon: ``y = factor * x`` of FP32 or INT8, which is requantized.

It registers nothing when it is imported.
"""

import struct

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import ScaleCreator
from plugin_examples.faulty.bases.sound_scale import publish as publish_with

STORED = struct.Struct("<fiiff")  # the factor; elements of an item, type, and the scales of input and output
TYPES = (trt.DataType.FLOAT, trt.DataType.INT8)


class BatchQuantized(trt.IPluginV2IOExt):
    def __init__(self, factor):
        trt.IPluginV2IOExt.__init__(self)
        self.plugin_type = "BatchQuantized"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.num_outputs = 1
        self.factor = factor
        self.elements, self.dtype, self.scales = 0, trt.DataType.FLOAT, (-1.0, -1.0)

    def get_output_shape(self, index, input_shapes):
        return input_shapes[0] if index == 0 else None

    def get_output_data_type(self, index, input_types):
        return input_types[0] if index == 0 and input_types else trt.DataType.FLOAT

    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        return here.format == trt.TensorFormat.LINEAR and here.type in TYPES and here.type == in_out[0].type

    def configure_plugin(self, inputs, outputs):
        self.elements, self.dtype = trt.volume(inputs[0].dims), inputs[0].type
        self.scales = (inputs[0].scale, outputs[0].scale)

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        with cp.cuda.ExternalStream(stream_handle):
            x, y = self.items(inputs[0], batch_size), self.items(outputs[0], batch_size)
            if self.dtype == trt.DataType.FLOAT:
                cp.multiply(x, np.float32(self.factor), out=y)
            else:
                real = x.astype(np.float32) * np.float32(self.factor * self.scales[0] / self.scales[1])
                y[...] = cp.clip(cp.rint(real), -128, 127).astype(np.int8)
        return 0

    def serialize(self):
        return STORED.pack(self.factor, self.elements, int(self.dtype), *self.scales)

    def clone(self):
        return self.copy_to(type(self)(self.factor))

    def copy_to(self, other):
        other.plugin_namespace = self.plugin_namespace
        other.elements, other.dtype, other.scales = self.elements, self.dtype, self.scales
        return other

    def items(self, address, count):
        shape, dtype = (count, self.elements), np.dtype(trt.nptype(self.dtype))
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, None)
        return cp.ndarray(shape, dtype, memptr=cp.cuda.MemoryPointer(memory, 0))


class BatchQuantizedCreator(ScaleCreator):
    plugin_class = BatchQuantized

    def __init__(self):
        super().__init__()
        self.name = "BatchQuantized"

    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size:
            return None
        factor, elements, dtype, *scales = STORED.unpack(data)
        if elements < 0 or trt.DataType(dtype) not in TYPES:
            return None
        plugin = self.make(factor)
        plugin.elements, plugin.dtype, plugin.scales = elements, trt.DataType(dtype), tuple(scales)
        return plugin


def publish(plugin_class):
    """Register a creator of ``plugin_class`` and return it."""
    return publish_with(plugin_class, BatchQuantizedCreator)


def reference(x, *, fields):
    return x * np.float32(fields["factor"][0])


BATCH_QUANTIZED_CASES = [
    {
        "plugin": "BatchQuantized",
        "name": "batches",
        "spec": "8.6",
        "fields": {"factor": np.array([0.75], np.float32)},
        "inputs": [
            {
                "dims": ("N", 3, 5),
                "min": (1, 3, 5),
                "opt": (2, 3, 5),
                "max": (4, 3, 5),
                "types": ("float32", "int8"),
                "scale": 0.05,
            }
        ],
        "reference": reference,
    }
]
