"""A sound IPluginV2Ext for witnesses to build upon: ``y = factor * (a + b)``; either input may be one shared item.

It registers nothing when it is imported.
"""

import struct

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import ScaleCreator
from plugin_examples.faulty.bases.sound_scale import publish as publish_with

STORED = struct.Struct("<f3?ii")  # the factor; which tensors are one item, the elements of an item, and the type


class BatchAdd(trt.IPluginV2Ext):
    def __init__(self, factor):
        trt.IPluginV2Ext.__init__(self)
        self.plugin_type = "BatchAdd"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.num_outputs = 1
        self.factor = factor
        self.shared, self.elements, self.dtype = (False, False, False), 0, trt.DataType.FLOAT

    def get_output_shape(self, index, input_shapes):
        return input_shapes[0] if index == 0 else None

    def get_output_data_type(self, index, input_types):
        return input_types[0] if index == 0 and input_types else trt.DataType.FLOAT

    def is_output_broadcast_across_batch(self, output_index, input_is_broadcasted):
        return all(input_is_broadcasted)

    def can_broadcast_input_across_batch(self, input_index):
        return input_index in (0, 1)

    def supports_format(self, dtype, format):  # noqa: A002 - TensorRT's name
        return dtype in (trt.DataType.FLOAT, trt.DataType.HALF) and format == trt.TensorFormat.LINEAR

    def configure_plugin(self, input_shapes, output_shapes, input_types, output_types, shared_in, shared_out, *form):
        self.shared = (*shared_in, *shared_out)
        self.elements, self.dtype = trt.volume(input_shapes[0]), input_types[0]

    def attach_to_context(self, cudnn, cublas, allocator):
        pass

    def detach_from_context(self):
        pass

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        counts = [1 if shared else batch_size for shared in self.shared]
        with cp.cuda.ExternalStream(stream_handle):
            a, b, y = map(self.items, (*inputs, *outputs), counts)
            cp.add(a, b, out=y)
            cp.multiply(y, y.dtype.type(self.factor), out=y)
        return 0

    def serialize(self):
        return STORED.pack(self.factor, *self.shared, self.elements, int(self.dtype))

    def clone(self):
        return self.copy_to(type(self)(self.factor))

    def copy_to(self, other):
        other.plugin_namespace = self.plugin_namespace
        other.shared, other.elements, other.dtype = self.shared, self.elements, self.dtype
        return other

    def items(self, address, count):
        shape, dtype = (count, self.elements), np.dtype(trt.nptype(self.dtype))
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, None)
        return cp.ndarray(shape, dtype, memptr=cp.cuda.MemoryPointer(memory, 0))


class BatchAddCreator(ScaleCreator):
    plugin_class = BatchAdd

    def __init__(self):
        super().__init__()
        self.name = "BatchAdd"

    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size:
            return None
        factor, *shared, elements, dtype = STORED.unpack(data)
        if elements < 0 or dtype not in (0, 1):
            return None
        plugin = self.make(factor)
        plugin.shared, plugin.elements, plugin.dtype = tuple(shared), elements, trt.DataType(dtype)
        return plugin


def publish(plugin_class):
    """Register a creator of ``plugin_class`` and return it."""
    return publish_with(plugin_class, BatchAddCreator)


def reference(a, b, *, fields):
    return ((a + b) * a.dtype.type(fields["factor"][0])).astype(a.dtype)


BATCH = {"dims": ("N", 3, 5), "min": (1, 3, 5), "opt": (2, 3, 5), "max": (4, 3, 5)}
BATCH_ADD_CASES = [
    {
        "plugin": "BatchAdd",
        "name": "batches",
        "spec": "8.6",
        "fields": {"factor": np.array([1.5], np.float32)},
        "inputs": [BATCH, BATCH],
        "reference": reference,
    }
]
#: The same at another level, where a batch is fixed.
BATCH_ADD_CASES_10 = [{**BATCH_ADD_CASES[0], "spec": "10"}]
