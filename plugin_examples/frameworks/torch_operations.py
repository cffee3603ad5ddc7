"""Swish, ``x * sigmoid(beta * x)``, by operations of torch on TensorRT's memory, its workspace included. FLOAT only.

Needs torch. Without a GPU torch computes on the CPU.
"""

import math

import numpy as np
import tensorrt as trt
import torch


class Memory:
    """Memory that belongs to TensorRT, as torch asks for it."""

    def __init__(self, address, count):
        self.__cuda_array_interface__ = {"shape": (count,), "typestr": "<f4", "data": (address, False), "version": 2}


class SwishPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self, beta, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "Swish"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.beta = float(np.float32(beta))  # as it is stored
        # TensorRT reads the field from here when it serializes the plugin.
        self._stored = np.array([self.beta], np.float32)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return SwishPlugin(self.beta, self.plugin_namespace)

    # -- build ----------------------------------------------------------------------------------------------

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return [trt.DimsExprs(inputs[0])]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        return desc.format == trt.TensorFormat.LINEAR and desc.type == trt.DataType.FLOAT

    def configure_plugin(self, inputs, outputs):
        """Nothing: enqueue takes the dimensions from its descriptors."""

    def get_workspace_size(self, inputs, outputs):
        return 4 * math.prod(inputs[0].max)

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"Swish advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Nothing: enqueue takes the dimensions from its descriptors."""

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        count = trt.volume(input_desc[0].dims)
        if count == 0:
            return
        with torch.cuda.stream(torch.cuda.ExternalStream(stream)):
            x, y, gate = (
                torch.as_tensor(Memory(address, count), device="cuda") for address in (inputs[0], outputs[0], workspace)
            )
            torch.mul(x, self.beta, out=gate)
            torch.sigmoid(gate, out=gate)
            torch.mul(x, gate, out=y)

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("beta", self._stored, trt.PluginFieldType.FLOAT32)])


class SwishCreator(trt.IPluginCreatorV3One):
    """Makes SwishPlugins from one optional field, ``beta`` (one FLOAT32, by default 1)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "Swish"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("beta", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        beta = 1.0
        for field in field_collection:
            if field.name == "beta" and field.size > 0:
                beta = self._beta(field)
        return SwishPlugin(beta, self.plugin_namespace)

    @staticmethod
    def _beta(field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size != 1:
            raise ValueError(f"beta is one FLOAT32, not {field.size} of {field.type}")
        if not np.isfinite(field.data[0]):
            raise ValueError(f"beta must be finite, not {field.data[0]}")
        return field.data[0]


if not trt.get_plugin_registry().register_creator(SwishCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of Swish: another plugin of this name is registered")
