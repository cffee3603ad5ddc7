"""Leaky ReLU as an IPluginV3: positive elements stay, the others are multiplied by a slope. FLOAT and HALF."""

import math

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
DEFAULT_SLOPE = 0.01


class LeakyReluPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """Computes ``x if x > 0 else negative_slope * x``; one object has all three capabilities."""

    def __init__(self, negative_slope, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "LeakyRelu"
        self.plugin_version = "2"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.negative_slope = float(np.float32(negative_slope))  # as it is stored
        # TensorRT reads the field from here when it serializes the plugin.
        self._stored = np.array([self.negative_slope], np.float32)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return LeakyReluPlugin(self.negative_slope, self.plugin_namespace)

    # -- build ----------------------------------------------------------------------------------------------

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return [trt.DimsExprs(inputs[0])]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES and desc.type == in_out[0].desc.type

    def configure_plugin(self, inputs, outputs):
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    def get_workspace_size(self, inputs, outputs):
        # One byte an element says whether the element is positive.
        return math.prod(inputs[0].max)

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"LeakyRelu advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    def attach_to_context(self, context):
        return self.clone()

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

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("negative_slope", self._stored, trt.PluginFieldType.FLOAT32)])

    def _array(self, address, shape, dtype):
        """Return an array over memory that belongs to TensorRT."""
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class LeakyReluCreator(trt.IPluginCreatorV3One):
    """Makes LeakyReluPlugins from one optional field, ``negative_slope`` (one FLOAT32, by default 0.01)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "LeakyRelu"
        self.plugin_version = "2"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("negative_slope", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        slope = DEFAULT_SLOPE
        for field in field_collection:
            if field.name == "negative_slope" and field.size > 0:
                slope = self._slope(field)
        return LeakyReluPlugin(slope, self.plugin_namespace)

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
