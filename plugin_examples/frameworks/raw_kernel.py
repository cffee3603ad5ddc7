"""Softplus by a kernel in CUDA C++ that CuPy compiles: ``log(1 + exp(beta * x)) / beta``. FLOAT only.

Without a GPU the function in ``raw_kernel_cases.py`` is the kernel's stand-in.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

THREADS = 256

SOFTPLUS = cp.RawKernel(
    r"""
    extern "C" __global__ void softplus(const float* x, float* y, float beta, int count) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < count) {
            float scaled = beta * x[i];
            y[i] = (fmaxf(scaled, 0.0f) + log1pf(expf(-fabsf(scaled)))) / beta;
        }
    }
    """,
    "softplus",
)


class SoftplusPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self, beta, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "Softplus"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.beta = np.float32(beta)
        # TensorRT reads the field from here when it serializes the plugin.
        self._stored = np.array([self.beta], np.float32)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return SoftplusPlugin(self.beta, self.plugin_namespace)

    # -- build ----------------------------------------------------------------------------------------------

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return [trt.DimsExprs(inputs[0])]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        return desc.format == trt.TensorFormat.LINEAR and desc.type == trt.DataType.FLOAT

    def configure_plugin(self, inputs, outputs):
        """Do nothing: enqueue takes the dimensions from its descriptors."""

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"Softplus advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Do nothing: enqueue takes the dimensions from its descriptors."""

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        count = trt.volume(input_desc[0].dims)
        if count == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = self._array(inputs[0], count), self._array(outputs[0], count)
            SOFTPLUS((-(-count // THREADS),), (THREADS,), (x, y, self.beta, np.int32(count)))

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("beta", self._stored, trt.PluginFieldType.FLOAT32)])

    def _array(self, address, count):
        """Return an array over memory that belongs to TensorRT."""
        memory = cp.cuda.UnownedMemory(address, count * 4, self)
        return cp.ndarray((count,), np.float32, cp.cuda.MemoryPointer(memory, 0))


class SoftplusCreator(trt.IPluginCreatorV3One):
    """Makes SoftplusPlugins from one optional field, ``beta`` (one positive FLOAT32, by default 1)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "Softplus"
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
        return SoftplusPlugin(beta, self.plugin_namespace)

    @staticmethod
    def _beta(field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size != 1:
            raise ValueError(f"beta is one FLOAT32, not {field.size} of {field.type}")
        if not 0 < field.data[0] < np.inf:
            raise ValueError(f"beta must be positive and finite, not {field.data[0]}")
        return field.data[0]


if not trt.get_plugin_registry().register_creator(SoftplusCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of Softplus: another plugin of this name is registered")
