"""The indices of the elements that are not zero: an output whose dimension depends on data.

Output 0 holds one row of indices for each element that is not zero, in row-major order. Output 1 is the size tensor
with their number. TensorRT allocates output 0 for the maximum number and reads output 1 afterwards.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)


class NonZeroPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """Finds the elements of a tensor that are not zero; one object has all three capabilities."""

    def __init__(self, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "NonZero"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 2

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return NonZeroPlugin(self.plugin_namespace)

    # -- build ----------------------------------------------------------------------------------------------

    def get_output_data_types(self, input_types):
        return [trt.DataType.INT32, trt.DataType.INT32]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        volume = expr_builder.constant(1)
        for extent in inputs[0]:
            volume = expr_builder.operation(trt.DimensionOperation.PROD, volume, extent)
        half = expr_builder.operation(trt.DimensionOperation.FLOOR_DIV, volume, expr_builder.constant(2))
        count = expr_builder.declare_size_tensor(1, half, volume)
        return [trt.DimsExprs([count, expr_builder.constant(len(inputs[0]))]), trt.DimsExprs(0)]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES if pos == 0 else desc.type == trt.DataType.INT32

    def configure_plugin(self, inputs, outputs):
        """Do nothing: enqueue takes types and dimensions from the descriptor of its input."""

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"NonZero advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Do nothing: enqueue takes types and dimensions from the descriptor of its input."""

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))
        with cp.cuda.ExternalStream(stream):
            count = self._array(outputs[1], (), np.dtype(np.int32))
            count.fill(0)
            if trt.volume(shape) == 0:
                return
            found = (self._array(inputs[0], shape, dtype) != 0).ravel()
            count[...] = found.sum()
            # The elements that are not zero come first, the others behind: the host need not wait for their number.
            places = cp.where(found, cp.cumsum(found), found.sum() + cp.cumsum(~found)) - 1
            indices = self._array(outputs[0], (found.size, len(shape)), np.dtype(np.int32))
            number, stride = cp.arange(found.size), found.size
            for axis, extent in enumerate(shape):  # cp.unravel_index would wait for the device, to look at the numbers
                stride //= extent
                indices[places, axis] = number // stride % extent

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([])  # there is no parameter

    def _array(self, address, shape, dtype):
        """Return an array over memory that belongs to TensorRT."""
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class NonZeroCreator(trt.IPluginCreatorV3One):
    """Makes NonZeroPlugins; they have no fields."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "NonZero"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, name, field_collection, phase):
        return NonZeroPlugin(self.plugin_namespace)


if not trt.get_plugin_registry().register_creator(NonZeroCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of NonZero: another plugin of this name and version is registered")
