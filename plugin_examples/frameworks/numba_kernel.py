"""ELU by a kernel that Numba compiles: ``x if x > 0 else alpha * (exp(x) - 1)``. FLOAT only.

Needs Numba. Without a GPU the kernel runs in its simulator.
"""

import math

import numpy as np
import tensorrt as trt
from numba import cuda

THREADS = 32


@cuda.jit
def elu(x, y, alpha):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = x[i] if x[i] > 0 else alpha * (math.exp(x[i]) - 1)


class Memory:
    """Memory that belongs to TensorRT, as Numba asks for it; it names no stream, or Numba would wait for that."""

    def __init__(self, address, count):
        self.__cuda_array_interface__ = {
            "shape": (count,),
            "typestr": "<f4",
            "data": (address, False),
            "strides": None,
            "stream": None,
            "version": 3,
        }


class EluPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self, alpha, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "Elu"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.alpha = np.float32(alpha)
        # TensorRT reads the field from here when it serializes the plugin.
        self._stored = np.array([self.alpha], np.float32)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return EluPlugin(self.alpha, self.plugin_namespace)

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

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"Elu advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Nothing: enqueue takes the dimensions from its descriptors."""

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        count = trt.volume(input_desc[0].dims)
        if count == 0:
            return
        x, y = (cuda.as_cuda_array(Memory(address, count)) for address in (inputs[0], outputs[0]))
        elu[-(-count // THREADS), THREADS, cuda.external_stream(stream)](x, y, self.alpha)

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("alpha", self._stored, trt.PluginFieldType.FLOAT32)])


class EluCreator(trt.IPluginCreatorV3One):
    """Makes EluPlugins from one optional field, ``alpha`` (one FLOAT32, by default 1)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "Elu"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("alpha", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        alpha = 1.0
        for field in field_collection:
            if field.name == "alpha" and field.size > 0:
                alpha = self._alpha(field)
        return EluPlugin(alpha, self.plugin_namespace)

    @staticmethod
    def _alpha(field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size != 1:
            raise ValueError(f"alpha is one FLOAT32, not {field.size} of {field.type}")
        if not np.isfinite(field.data[0]):
            raise ValueError(f"alpha must be finite, not {field.data[0]}")
        return field.data[0]


if not trt.get_plugin_registry().register_creator(EluCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of Elu: another plugin of this name is registered")
