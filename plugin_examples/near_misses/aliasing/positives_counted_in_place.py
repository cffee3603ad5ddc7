"""Has everything at once: tactics, an output in the memory of its input, and a dimension that data decides.

Output 0 is the input plus one, in place. Output 1 holds the positive elements of the input, in order. Output 2 is the
number of these elements. Both tactics compute the same.
"""

import math

import cupy as cp
import numpy as np
import tensorrt as trt

LOOKS_LIKE = "SHP-019"

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
TACTICS = [1, 2]
BASES = (trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuildV2, trt.IPluginV3OneRuntime)


class KeptPositives(*BASES):
    def __init__(self):
        for base in BASES:
            base.__init__(self)
        self.plugin_name, self.plugin_version, self.plugin_namespace = "KeptPositives", "1", ""
        self.num_outputs = 3
        self.timing_cache_id = "kept"
        self.metadata_string = "kept"

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return type(self)()

    def get_output_data_types(self, input_types):
        return [input_types[0], input_types[0], trt.DataType.INT32]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        volume = expr_builder.constant(1)
        for extent in inputs[0]:
            volume = expr_builder.operation(trt.DimensionOperation.PROD, volume, extent)
        count = expr_builder.declare_size_tensor(2, volume, volume)
        return [trt.DimsExprs(inputs[0]), trt.DimsExprs([count]), trt.DimsExprs(0)]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        if pos == len(in_out) - 1:
            return desc.type == trt.DataType.INT32
        return desc.type in TYPES and desc.type == in_out[0].desc.type

    def configure_plugin(self, inputs, outputs):
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    def get_valid_tactics(self):
        return TACTICS

    def get_workspace_size(self, inputs, outputs):
        return math.prod(inputs[0].max) * 4

    def get_aliased_input(self, output_index):
        return 0 if output_index == 0 else -1

    def set_tactic(self, tactic):
        if tactic not in TACTICS:
            raise ValueError(f"there are the tactics {TACTICS}, and not {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Nothing: as configure_plugin."""

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))
        with cp.cuda.ExternalStream(stream):
            count = self._array(outputs[2], (), np.dtype(np.int32))
            count.fill(0)
            if trt.volume(shape) == 0:
                return
            x = self._array(inputs[0], shape, dtype).ravel()
            found = x > 0
            count[...] = found.sum()
            places = cp.where(found, cp.cumsum(found), found.sum() + cp.cumsum(~found)) - 1
            self._array(outputs[1], (x.size,), dtype)[places] = x
            cp.add(x, dtype.type(1), out=self._array(outputs[0], shape, dtype).ravel())

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([])

    def _array(self, address, shape, dtype):
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class KeptPositivesCreator(trt.IPluginCreatorV3One):
    def __init__(self):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = "KeptPositives", "1", ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, name, field_collection, phase):
        return KeptPositives()


trt.get_plugin_registry().register_creator(KeptPositivesCreator(), "")


def _reference(x, *, fields):
    kept = x[x > 0]
    return x + x.dtype.type(1), kept, np.int32(len(kept))


PLUGIN_CASES = [
    {
        "plugin": "KeptPositives",
        "name": "tables",
        "inputs": [{"dims": ("N", "M"), "min": (0, 1), "opt": (3, 5), "max": (6, 8), "types": ("float32", "float16")}],
        "reference": _reference,
    }
]
