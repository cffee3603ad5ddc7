"""Bar as an IPluginV3: two inputs, two outputs, dynamic shapes; no parameters.

Output 0 is the concatenation of both inputs along the first dimension, output 1 a copy of the first input.
``bar.py`` has the same outputs, and says where they come from.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF, trt.DataType.INT32)


class BarPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """Concatenates its inputs along the first dimension, and copies the first of them."""

    def __init__(self, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "Bar"
        self.plugin_version = "2"
        self.plugin_namespace = namespace
        self.num_outputs = 2

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return BarPlugin(self.plugin_namespace)

    # -- build ----------------------------------------------------------------------------------------------

    def get_output_data_types(self, input_types):
        return [input_types[0], input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        joined = trt.DimsExprs(inputs[0])
        joined[0] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][0], inputs[1][0])
        return [joined, trt.DimsExprs(inputs[0])]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES and desc.type == in_out[0].desc.type

    def configure_plugin(self, inputs, outputs):
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"Bar advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            first, second = (self._tensor(*tensor) for tensor in zip(input_desc, inputs, strict=True))
            joined, copied = (self._tensor(*tensor) for tensor in zip(output_desc, outputs, strict=True))
            rows = len(first)
            joined[:rows] = first
            joined[rows:] = second
            copied[...] = first

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([])  # there is no parameter

    def _tensor(self, desc, address):
        """Return a tensor as an array that does not own its memory; an empty one need not have any."""
        shape, dtype = tuple(desc.dims), np.dtype(trt.nptype(desc.type))
        nbytes = trt.volume(shape) * dtype.itemsize
        if nbytes == 0:
            return cp.empty(shape, dtype)
        memory = cp.cuda.UnownedMemory(address, nbytes, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class BarCreator(trt.IPluginCreatorV3One):
    """Makes BarPlugins; they have no fields."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "Bar"
        self.plugin_version = "2"
        self.plugin_namespace = ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, name, field_collection, phase):
        return BarPlugin(self.plugin_namespace)


if not trt.get_plugin_registry().register_creator(BarCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of Bar: another plugin of this name and version is registered")
