"""A sum of a batch and an item that the whole batch shares: an IPluginV2Ext that broadcasts across the batch.

Deriving from IPluginV2Ext in Python is an extension of the reference runtime: TensorRT's bindings wrap C++ plugins.
"""

import struct

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
STORED = struct.Struct("<4si?3?i")  # a tag, elements of an item, what reads one item; which tensors are one, type
TAG = b"BADD"


class BroadcastAddPlugin(trt.IPluginV2Ext):
    """Adds its two inputs; either may be one item for the whole batch. If both are, so is the output."""

    def __init__(self, reads_one_item, namespace=""):
        trt.IPluginV2Ext.__init__(self)
        self.plugin_type = "BroadcastAdd"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.reads_one_item = bool(reads_one_item)
        self.elements = 0  # of one item
        self.dtype = trt.DataType.FLOAT
        self.shared = (False, False, False)  # of inputs and output: which are one item for the whole batch

    def get_output_shape(self, index, input_shapes):
        return input_shapes[0] if index == 0 else None  # there is no other output

    def get_output_data_type(self, index, input_types):
        return input_types[0] if index == 0 and input_types else trt.DataType.FLOAT

    def is_output_broadcast_across_batch(self, output_index, input_is_broadcasted):
        return all(input_is_broadcasted)

    def can_broadcast_input_across_batch(self, input_index):
        return self.reads_one_item and input_index in (0, 1)

    def supports_format(self, dtype, format):  # noqa: A002 - TensorRT's name
        return dtype in TYPES and format == trt.TensorFormat.LINEAR

    def configure_plugin(
        self,
        input_shapes,
        output_shapes,
        input_types,
        output_types,
        input_is_broadcasted,
        output_is_broadcasted,
        format,  # noqa: A002 - TensorRT's name
        max_batch_size,
    ):
        self.elements = trt.volume(input_shapes[0])
        self.dtype = input_types[0]
        self.shared = (*input_is_broadcasted, *output_is_broadcasted)

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        with cp.cuda.ExternalStream(stream_handle):
            a, b, total = (
                self._items(address, 1 if shared else batch_size)
                for address, shared in zip((*inputs, *outputs), self.shared, strict=True)
            )
            cp.add(a, b, out=total)
        return 0

    def serialize(self):
        return STORED.pack(TAG, self.elements, self.reads_one_item, *self.shared, int(self.dtype))

    def clone(self):
        clone = type(self)(self.reads_one_item, self.plugin_namespace)
        clone.elements, clone.dtype, clone.shared = self.elements, self.dtype, self.shared
        return clone

    def _items(self, address, count):
        """Return an array over memory that belongs to TensorRT, with a row for each item."""
        shape, dtype = (count, self.elements), np.dtype(trt.nptype(self.dtype))
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class BroadcastAddCreator(trt.IPluginCreator):
    """Makes BroadcastAddPlugins from one optional field, ``copy`` (one INT32): 1 has TensorRT copy shared items."""

    plugin_class = BroadcastAddPlugin

    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "BroadcastAdd"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("copy", np.array([], np.int32), trt.PluginFieldType.INT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection):
        copies = 0
        for field in field_collection:
            if field.name == "copy" and field.size > 0:
                copies = self._flag(field)
        return self.plugin_class(not copies, self.plugin_namespace)

    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size:
            raise ValueError(f"a BroadcastAdd is stored in {STORED.size} bytes, not in {len(data)}")
        tag, elements, reads_one_item, *shared, dtype = STORED.unpack(data)
        if tag != TAG or elements < 0 or trt.DataType(dtype) not in TYPES:
            raise ValueError("the stored data are not those of a BroadcastAdd")
        plugin = self.plugin_class(reads_one_item, self.plugin_namespace)
        plugin.elements, plugin.dtype, plugin.shared = elements, trt.DataType(dtype), tuple(shared)
        return plugin

    @staticmethod
    def _flag(field):
        if field.type != trt.PluginFieldType.INT32 or field.size != 1 or field.data[0] not in (0, 1):
            raise ValueError(f"copy is one INT32, 0 or 1, not {field.size} of {field.type}")
        return int(field.data[0])


if not trt.get_plugin_registry().register_creator(BroadcastAddCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of BroadcastAdd: another plugin of that name is registered")
