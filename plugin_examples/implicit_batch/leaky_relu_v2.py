"""Leaky ReLU for networks with an implicit batch, as an IPluginV2: one object that all contexts of an engine share.

Deriving from IPluginV2 in Python is an extension of the reference runtime; TensorRT's bindings wrap C++ plugins there.
"""

import math
import struct

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
DEFAULT_SLOPE = 0.1
STORED = struct.Struct("<4sfii")  # a tag, the slope, and what configure_with_format told: elements and type
TAG = b"LRV2"


class LeakyReluV2Plugin(trt.IPluginV2):
    """Computes ``x if x > 0 else neg_slope * x``. It keeps nothing while it runs, so any number of contexts may."""

    def __init__(self, neg_slope, namespace=""):
        trt.IPluginV2.__init__(self)
        self.plugin_type = "LReLU_V2"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.neg_slope = float(np.float32(neg_slope))  # as it is stored
        self.elements = 0  # of one item
        self.dtype = trt.DataType.FLOAT

    def get_output_shape(self, index, input_shapes):
        return input_shapes[0] if index == 0 else None  # there is no other output

    def supports_format(self, dtype, format):  # noqa: A002 - TensorRT's name
        return dtype in TYPES and format == trt.TensorFormat.LINEAR

    def configure_with_format(self, input_shapes, output_shapes, dtype, format, max_batch_size):  # noqa: A002 - as above
        self.elements = trt.volume(input_shapes[0])
        self.dtype = dtype

    def get_workspace_size(self, max_batch_size):
        return max_batch_size * self.elements  # one byte an element says whether the element is positive

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        count, dtype = batch_size * self.elements, np.dtype(trt.nptype(self.dtype))
        if count == 0:
            return 0
        with cp.cuda.ExternalStream(stream_handle):
            x, y = self._array(inputs[0], count, dtype), self._array(outputs[0], count, dtype)
            positive = self._array(workspace, count, np.dtype(bool))
            cp.greater(x, 0, out=positive)
            cp.multiply(x, self.neg_slope, out=y)
            cp.copyto(y, x, where=positive)
        return 0

    def serialize(self):
        return STORED.pack(TAG, self.neg_slope, self.elements, int(self.dtype))

    def clone(self):
        clone = type(self)(self.neg_slope, self.plugin_namespace)
        clone.elements, clone.dtype = self.elements, self.dtype
        return clone

    def _array(self, address, count, dtype):
        """Return an array over memory that belongs to TensorRT."""
        memory = cp.cuda.UnownedMemory(address, count * dtype.itemsize, self)
        return cp.ndarray((count,), dtype, cp.cuda.MemoryPointer(memory, 0))


class LeakyReluV2Creator(trt.IPluginCreator):
    """Makes LeakyReluV2Plugins from one optional field, ``neg_slope`` (one FLOAT32, by default 0.1)."""

    plugin_class = LeakyReluV2Plugin

    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "LReLU_V2"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("neg_slope", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection):
        slope = DEFAULT_SLOPE
        for field in field_collection:
            if field.name == "neg_slope" and field.size > 0:
                slope = self._slope(field)
        return self.plugin_class(slope, self.plugin_namespace)

    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size:
            raise ValueError(f"a LReLU_V2 is stored in {STORED.size} bytes, not in {len(data)}")
        tag, slope, elements, dtype = STORED.unpack(data)
        if tag != TAG or not math.isfinite(slope) or elements < 0 or trt.DataType(dtype) not in TYPES:
            raise ValueError("the stored data are not those of a LReLU_V2")
        plugin = self.plugin_class(slope, self.plugin_namespace)
        plugin.elements, plugin.dtype = elements, trt.DataType(dtype)
        return plugin

    @staticmethod
    def _slope(field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size != 1:
            raise ValueError(f"neg_slope is one FLOAT32, not {field.size} of {field.type}")
        slope = float(field.data[0])
        if not math.isfinite(slope):
            raise ValueError(f"neg_slope must be finite, not {slope}")
        return slope


if not trt.get_plugin_registry().register_creator(LeakyReluV2Creator(), ""):
    raise RuntimeError("TensorRT refused the creator of LReLU_V2: another plugin of that name is registered")
