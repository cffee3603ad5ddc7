"""BarPlugin of TensorRT's developer guide: two inputs, two outputs, dynamic shapes.

The guide says three different things about it. Its text says that output 0 is a copy of the second input. Output 1 is
the concatenation of both along the first dimension. A sentence further on, the second output has the dimensions of
the first input. Its code gives output 0 the summed first dimension and output 1 the dimensions of input 0. This plugin
follows the code: output 0 is the concatenation, output 1 a copy of input 0.

Two slips of the guide's code are not repeated. Its format query leaves the type of input 0 open. TensorRT might choose
BOOL, which plugins cannot have. For input 1 it looks at the layout of input 0.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF, trt.DataType.INT32)


class BarPlugin(trt.IPluginV2DynamicExt):
    """Concatenates its inputs along the first dimension, and copies the first of them."""

    def __init__(self, namespace=""):
        trt.IPluginV2DynamicExt.__init__(self)
        self.plugin_type = "Bar"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 2

    def get_output_datatype(self, index, input_types):
        if not 0 <= index < self.num_outputs or not input_types or input_types[0] not in TYPES:
            return trt.DataType.FLOAT
        return input_types[0]

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        dims = trt.DimsExprs(inputs[0])
        if output_index == 0:
            dims[0] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][0], inputs[1][0])
        elif output_index != 1:
            raise ValueError(f"Bar has the outputs 0 and 1, and no output {output_index}")
        return dims

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos]
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES and desc.type == in_out[0].type

    def configure_plugin(self, inputs, outputs):
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            first, second = (self._tensor(*tensor) for tensor in zip(input_desc, inputs, strict=True))
            joined, copied = (self._tensor(*tensor) for tensor in zip(output_desc, outputs, strict=True))
            rows = len(first)
            joined[:rows] = first
            joined[rows:] = second
            copied[...] = first

    def serialize(self):
        return b""  # there is no parameter

    def clone(self):
        return type(self)(self.plugin_namespace)

    def _tensor(self, desc, address):
        """Return a tensor as an array that does not own its memory; an empty one need not have any."""
        shape, dtype = tuple(desc.dims), np.dtype(trt.nptype(desc.type))
        nbytes = trt.volume(shape) * dtype.itemsize
        if nbytes == 0:
            return cp.empty(shape, dtype)
        memory = cp.cuda.UnownedMemory(address, nbytes, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class BarCreator(trt.IPluginCreator):
    """Makes BarPlugins; they have no fields."""

    plugin_class = BarPlugin

    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "Bar"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, name, field_collection):
        return self.plugin_class(self.plugin_namespace)

    def deserialize_plugin(self, name, data):
        if data:
            raise ValueError(f"Bar has no parameters, but {len(data)} bytes were stored")
        return self.plugin_class(self.plugin_namespace)


if not trt.get_plugin_registry().register_creator(BarCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of Bar: another plugin of this name and version is registered")
