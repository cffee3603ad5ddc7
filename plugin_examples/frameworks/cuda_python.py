"""Snake, ``x + sin(frequency * x) ** 2 / frequency``, by a kernel that NVRTC compiles and cuda-python launches.

FLOAT only. Without a GPU the function in ``cuda_python_cases.py`` is the kernel's stand-in.
"""

import functools

import numpy as np
import tensorrt as trt

try:
    from cuda.bindings import driver, nvrtc
except ImportError:  # cuda-python before 12.8
    from cuda import cuda as driver
    from cuda import nvrtc

THREADS = 128
SOURCE = rb"""
extern "C" __global__ void snake(const float* x, float* y, float frequency, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float wave = sinf(frequency * x[i]);
        y[i] = x[i] + wave * wave / frequency;
    }
}
"""


def checked(answer):
    """Return the outputs of a call of CUDA without its status; raise for a bad status."""
    status, *results = answer
    if status.value != 0:
        raise RuntimeError(f"{status!r}")
    return results[0] if len(results) == 1 else results


@functools.cache
def snake_kernel():
    """Return the kernel, compiled for the current device when it is first asked for."""
    device = checked(driver.cuCtxGetDevice())
    attributes = driver.CUdevice_attribute
    major, minor = (
        checked(driver.cuDeviceGetAttribute(attribute, device))
        for attribute in (
            attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
            attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        )
    )
    program = checked(nvrtc.nvrtcCreateProgram(SOURCE, b"snake.cu", 0, [], []))
    checked(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=sm_%d%d" % (major, minor)]))
    image = b" " * checked(nvrtc.nvrtcGetCUBINSize(program))  # it is written to, as NVIDIA's samples have it
    checked(nvrtc.nvrtcGetCUBIN(program, image))
    checked(nvrtc.nvrtcDestroyProgram(program))
    module = checked(driver.cuModuleLoadData(image))
    return checked(driver.cuModuleGetFunction(module, b"snake"))


class SnakePlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self, frequency, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "Snake"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        # TensorRT reads the field from here when it serializes the plugin.
        self._frequency = np.array([frequency], np.float32)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return SnakePlugin(self._frequency[0], self.plugin_namespace)

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
            raise ValueError(f"Snake advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Do nothing: enqueue takes the dimensions from its descriptors."""

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        count = trt.volume(input_desc[0].dims)
        if count == 0:
            return
        arguments = [
            np.array([inputs[0]], np.uint64),
            np.array([outputs[0]], np.uint64),
            self._frequency,
            np.array([count], np.int32),
        ]
        addresses = np.array([each.ctypes.data for each in arguments], np.uint64)
        blocks = -(-count // THREADS)
        checked(driver.cuLaunchKernel(snake_kernel(), blocks, 1, 1, THREADS, 1, 1, 0, stream, addresses, 0))

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("frequency", self._frequency, trt.PluginFieldType.FLOAT32)])


class SnakeCreator(trt.IPluginCreatorV3One):
    """Makes SnakePlugins from one optional field, ``frequency`` (one FLOAT32 that is not 0, by default 1)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "Snake"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("frequency", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        frequency = 1.0
        for field in field_collection:
            if field.name == "frequency" and field.size > 0:
                frequency = self._frequency(field)
        return SnakePlugin(frequency, self.plugin_namespace)

    @staticmethod
    def _frequency(field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size != 1:
            raise ValueError(f"frequency is one FLOAT32, not {field.size} of {field.type}")
        if not np.isfinite(field.data[0]) or abs(field.data[0]) < np.finfo(np.float32).tiny:
            raise ValueError(f"frequency must be finite and not 0, not {field.data[0]}")
        return field.data[0]


if not trt.get_plugin_registry().register_creator(SnakeCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of Snake: another plugin of this name is registered")
