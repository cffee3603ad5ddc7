"""Repeats a table until it has the size in a shape input.

The shape input holds two numbers, rows and columns. TensorRT passes them to ``get_output_shapes`` as expressions. No
other method gets them: ``enqueue`` reads the size from the descriptor of its output.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
RANK = 2


class TileToPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """Lays copies of a table side by side; one object has all three capabilities."""

    def __init__(self, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "TileTo"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return TileToPlugin(self.plugin_namespace)

    # -- build ----------------------------------------------------------------------------------------------

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        if len(inputs) != 1 or len(shape_inputs) != 1:
            raise ValueError(f"TileTo has one input and one shape input, not {len(inputs)} and {len(shape_inputs)}")
        if len(inputs[0]) != RANK or len(shape_inputs[0]) != RANK:
            raise ValueError("TileTo takes a table, and a shape input with its rows and columns")
        return [trt.DimsExprs([shape_inputs[0][0], shape_inputs[0][1]])]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES if pos == 0 else desc.type == in_out[0].desc.type

    def configure_plugin(self, inputs, outputs):
        """Do nothing: enqueue takes types and dimensions from its descriptors."""

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"TileTo advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Do nothing: enqueue takes types and dimensions from its descriptors."""

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(output_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            table = self._array(input_desc[0], inputs[0])
            tiled = self._array(output_desc[0], outputs[0])
            rows, columns = (cp.arange(wanted) % given for wanted, given in zip(tiled.shape, table.shape, strict=True))
            tiled[...] = table[rows[:, None], columns[None, :]]

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([])  # there is no parameter

    def _array(self, desc, address):
        """Return an array over memory that belongs to TensorRT."""
        shape, dtype = tuple(desc.dims), np.dtype(trt.nptype(desc.type))
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class TileToCreator(trt.IPluginCreatorV3One):
    """Makes TileToPlugins; they have no fields."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "TileTo"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, name, field_collection, phase):
        return TileToPlugin(self.plugin_namespace)


if not trt.get_plugin_registry().register_creator(TileToCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of TileTo: another plugin of this name and version is registered")
