"""InPlaceAdd: adds a few rows to a large table in place; the rest of the table is not even read. FLOAT and HALF.

The table, for example a cache, is as large as an engine can carry from one execution to the next. The update is a few
rows, which belong at ``first_row``. Output 0 aliases input 0, so both are the same memory. The builder needs
``PreviewFeature.ALIASED_PLUGIN_IO_10_03``: without it, TensorRT refuses the network. If the output has separate
memory after all, the plugin copies the table first.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)


class InPlaceAddPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuildV2, trt.IPluginV3OneRuntime):
    """Computes ``table[first_row : first_row + len(update)] += update``; one object has all three capabilities."""

    def __init__(self, first_row, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuildV2.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "InPlaceAdd"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.first_row = first_row
        # TensorRT reads the field from here when it serializes the plugin.
        self._stored = np.array([first_row], np.int32)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return InPlaceAddPlugin(self.first_row, self.plugin_namespace)

    # -- build ----------------------------------------------------------------------------------------------

    def get_aliased_input(self, output_index):
        return 0  # there is one output: the table

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

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"InPlaceAdd advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        (rows, width), (added, added_width) = (tuple(desc.dims) for desc in inputs)
        if self.first_row + added > rows or added_width != width:
            raise ValueError(
                f"an update of {added} rows of {added_width} at row {self.first_row} does not fit: the table has "
                f"{rows} rows of {width}"
            )

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(output_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            result = self._array(output_desc[0], outputs[0])
            if outputs[0] != inputs[0]:  # TensorRT gave the output memory of its own
                cp.copyto(result, self._array(input_desc[0], inputs[0]))
            if trt.volume(input_desc[1].dims) > 0:
                update = self._array(input_desc[1], inputs[1])
                rows = result[self.first_row : self.first_row + len(update)]
                cp.add(rows, update, out=rows)

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("first_row", self._stored, trt.PluginFieldType.INT32)])

    def _array(self, desc, address):
        """Return an array over memory that belongs to TensorRT."""
        shape, dtype = tuple(desc.dims), np.dtype(trt.nptype(desc.type))
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class InPlaceAddCreator(trt.IPluginCreatorV3One):
    """Makes InPlaceAddPlugins from one optional field, ``first_row`` (one INT32, by default 0)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "InPlaceAdd"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("first_row", np.array([], np.int32), trt.PluginFieldType.INT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        first_row = 0
        for field in field_collection:
            if field.name == "first_row" and field.size > 0:
                first_row = self._row(field)
        return InPlaceAddPlugin(first_row, self.plugin_namespace)

    @staticmethod
    def _row(field):
        if field.type != trt.PluginFieldType.INT32 or field.size != 1:
            raise ValueError(f"first_row is one INT32, not {field.size} of {field.type}")
        row = int(field.data[0])
        if row < 0:
            raise ValueError(f"first_row counts from 0, and cannot be {row}")
        return row


if not trt.get_plugin_registry().register_creator(InPlaceAddCreator(), ""):
    raise RuntimeError(
        "TensorRT refused the creator of InPlaceAdd: another plugin of this name and version is registered"
    )
