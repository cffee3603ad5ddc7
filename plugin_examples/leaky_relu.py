"""Leaky ReLU: positive elements stay, the others are multiplied by a slope. Element-wise, FLOAT and HALF."""

import math
import struct

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
DEFAULT_SLOPE = 0.01
STORED = struct.Struct("<4sf")  # a tag that tells our data from other data, and the slope
TAG = b"LRL1"


class LeakyReluPlugin(trt.IPluginV2DynamicExt):
    """Computes ``x if x > 0 else negative_slope * x``."""

    def __init__(self, negative_slope, namespace=""):
        trt.IPluginV2DynamicExt.__init__(self)
        self.plugin_type = "LeakyRelu"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.negative_slope = float(np.float32(negative_slope))  # as it is stored

    def get_output_datatype(self, index, input_types):
        if index != 0 or not input_types or input_types[0] not in TYPES:
            return trt.DataType.FLOAT
        return input_types[0]

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        return trt.DimsExprs(inputs[0])

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos]
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES and desc.type == in_out[0].type

    def configure_plugin(self, inputs, outputs):
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    def get_workspace_size(self, inputs, outputs):
        # One byte an element says whether the element is positive. Unknown dimensions count as none.
        return math.prod(max(extent, 0) for extent in inputs[0].dims)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))
        if trt.volume(shape) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = self._array(inputs[0], shape, dtype), self._array(outputs[0], shape, dtype)
            positive = self._array(workspace, shape, np.dtype(bool))
            cp.greater(x, 0, out=positive)
            cp.multiply(x, self.negative_slope, out=y)
            cp.copyto(y, x, where=positive)

    def serialize(self):
        return STORED.pack(TAG, self.negative_slope)

    def clone(self):
        return type(self)(self.negative_slope, self.plugin_namespace)

    def _array(self, address, shape, dtype):
        """Return an array over memory that belongs to TensorRT."""
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class LeakyReluCreator(trt.IPluginCreator):
    """Makes LeakyReluPlugins from one optional field, ``negative_slope`` (one FLOAT32, by default 0.01)."""

    plugin_class = LeakyReluPlugin

    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "LeakyRelu"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("negative_slope", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection):
        slope = DEFAULT_SLOPE
        for field in field_collection:
            if field.name == "negative_slope" and field.size > 0:
                slope = self._slope(field)
        return self.plugin_class(slope, self.plugin_namespace)

    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size:
            raise ValueError(f"a LeakyRelu is stored in {STORED.size} bytes, not in {len(data)}")
        tag, slope = STORED.unpack(data)
        if tag != TAG or not math.isfinite(slope):
            raise ValueError("the stored data are not those of a LeakyRelu")
        return self.plugin_class(slope, self.plugin_namespace)

    @staticmethod
    def _slope(field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size != 1:
            raise ValueError(f"negative_slope is one FLOAT32, not {field.size} of {field.type}")
        slope = float(field.data[0])
        if not math.isfinite(slope):
            raise ValueError(f"negative_slope must be finite, not {slope}")
        return slope


if not trt.get_plugin_registry().register_creator(LeakyReluCreator(), ""):
    raise RuntimeError(
        "TensorRT refused the creator of LeakyRelu: another plugin of this name and version is registered"
    )
