"""A sound IPluginV2 for witnesses to build upon: ``y = factor * x`` for batches of items, FP32 or FP16, linear.

It registers nothing when it is imported.
"""

import struct

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import ScaleCreator, reference
from plugin_examples.faulty.bases.sound_scale import publish as publish_with

STORED = struct.Struct("<fii")  # the factor; what configuration told: the elements of an item, and the type


class BatchScale(trt.IPluginV2):
    def __init__(self, factor):
        trt.IPluginV2.__init__(self)
        self.plugin_type = "BatchScale"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.num_outputs = 1
        self.factor = factor
        self.elements, self.dtype = 0, trt.DataType.FLOAT

    def get_output_shape(self, index, input_shapes):
        return input_shapes[0] if index == 0 else None

    def supports_format(self, dtype, format):  # noqa: A002 - TensorRT's name
        return dtype in (trt.DataType.FLOAT, trt.DataType.HALF) and format == trt.TensorFormat.LINEAR

    def configure_with_format(self, input_shapes, output_shapes, dtype, format, max_batch_size):  # noqa: A002 - as above
        self.elements, self.dtype = trt.volume(input_shapes[0]), dtype

    def get_workspace_size(self, max_batch_size):
        return 0

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        with cp.cuda.ExternalStream(stream_handle):
            x, y = self.items(inputs[0], batch_size), self.items(outputs[0], batch_size)
            cp.multiply(x, x.dtype.type(self.factor), out=y)
        return 0

    def serialize(self):
        return STORED.pack(self.factor, self.elements, int(self.dtype))

    def clone(self):
        return self.copy_to(type(self)(self.factor))

    def copy_to(self, other):
        other.plugin_namespace = self.plugin_namespace
        other.elements, other.dtype = self.elements, self.dtype
        return other

    def items(self, address, count):
        shape, dtype = (count, self.elements), np.dtype(trt.nptype(self.dtype))
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, None)
        return cp.ndarray(shape, dtype, memptr=cp.cuda.MemoryPointer(memory, 0))


class BatchScaleCreator(ScaleCreator):
    plugin_class = BatchScale

    def __init__(self):
        super().__init__()
        self.name = "BatchScale"

    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size:
            return None
        factor, elements, dtype = STORED.unpack(data)
        if elements < 0 or dtype not in (0, 1):
            return None
        plugin = self.make(factor)
        plugin.elements, plugin.dtype = elements, trt.DataType(dtype)
        return plugin


def publish(plugin_class):
    """Register a creator of ``plugin_class`` and return it."""
    return publish_with(plugin_class, BatchScaleCreator)


BATCH_SCALE_CASES = [
    {
        "plugin": "BatchScale",
        "name": "batches",
        "spec": "8.6",
        "fields": {"factor": np.array([1.5], np.float32)},
        "inputs": [
            {
                "dims": ("N", 3, 5),
                "min": (1, 3, 5),
                "opt": (2, 3, 5),
                "max": (4, 3, 5),
                "types": ("float32", "float16"),
            }
        ],
        "reference": reference,
    }
]
#: The same at another level, where a batch is fixed.
BATCH_SCALE_CASES_10 = [{**BATCH_SCALE_CASES[0], "spec": "10"}]
