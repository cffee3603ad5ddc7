"""A sound plugin for witnesses to build upon: ``y = factor * x``, of any rank, FP32 or FP16, linear.

It registers nothing when it is imported; a witness overrides what it breaks and registers its own creator with
``publish``.
"""

import struct

import cupy as cp
import numpy as np
import tensorrt as trt


class Scale(trt.IPluginV2DynamicExt):
    def __init__(self, factor):
        trt.IPluginV2DynamicExt.__init__(self)
        self.num_outputs = 1
        self.plugin_type = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.factor = factor

    def get_output_datatype(self, index, input_types):
        return input_types[0] if index == 0 and input_types else trt.DataType.FLOAT

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        return trt.DimsExprs(inputs[0])

    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if here.format != trt.TensorFormat.LINEAR:
            return False
        if pos == 0:
            return here.type in (trt.DataType.FLOAT, trt.DataType.HALF)
        return here.type == in_out[0].type

    def configure_plugin(self, inputs, outputs):
        pass

    def get_workspace_size(self, input_desc, output_desc):
        return 0

    def initialize(self):
        pass

    def terminate(self):
        pass

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x, x.dtype.type(self.factor), out=y)

    def serialize(self):
        return struct.pack("<f", self.factor)

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor))

    def copy_identity_to(self, other):
        other.plugin_namespace = self.plugin_namespace
        return other

    def destroy(self):
        pass


class ScaleCreator(trt.IPluginCreator):
    plugin_class = Scale

    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        )

    def create_plugin(self, name, field_collection):
        factor = None
        for field in field_collection:
            if field.name == "factor":
                factor = self.read_factor(field)
        if factor is None:
            return None
        return self.make(factor)

    def read_factor(self, field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.data.size != 1:
            return None
        return float(field.data[0])

    def make(self, factor):
        plugin = self.plugin_class(factor)
        plugin.plugin_namespace = self.plugin_namespace
        return plugin

    def deserialize_plugin(self, name, data):
        if len(data) != struct.calcsize("<f"):
            return None
        return self.make(struct.unpack("<f", data)[0])


def device_array(desc, address):
    dtype = np.dtype(trt.nptype(desc.type))
    shape = tuple(desc.dims)
    memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, None)
    return cp.ndarray(shape, dtype, memptr=cp.cuda.MemoryPointer(memory, 0))


def publish(plugin_class, creator_class=ScaleCreator):
    """Register a creator of ``plugin_class`` and return it."""
    members = {"plugin_class": plugin_class, "__module__": plugin_class.__module__}
    creator = type(creator_class.__name__, (creator_class,), members)()
    if not trt.get_plugin_registry().register_creator(creator, creator.plugin_namespace):
        raise RuntimeError(f"another creator of {creator.name} is registered")
    return creator


def reference(x, *, fields):
    return (x * np.float32(fields["factor"][0])).astype(x.dtype)


SCALE_CASES = [
    {
        "plugin": "Scale",
        "name": "dynamic",
        "fields": {"factor": np.array([1.5], np.float32)},
        "inputs": [
            {
                "dims": ("N", 3, "W"),
                "min": (0, 3, 1),
                "opt": (2, 3, 5),
                "max": (4, 3, 9),
                "types": ("float32", "float16"),
            }
        ],
        "reference": reference,
    }
]


def _with_input(**changes):
    return [{**SCALE_CASES[0], "inputs": [{**SCALE_CASES[0]["inputs"][0], **changes}]}]


#: The same without an empty shape.
NON_EMPTY_CASES = _with_input(min=(1, 3, 1))
#: The same with zeros among the values.
SPARSE_CASES = _with_input(values=lambda rng, shape, dtype: rng.integers(-1, 2, shape))

#: A wide profile, for what is wrong at few shapes only: none of them is at its corners or among those that rules take.
WIDE = {"dims": ("N", 3, "W"), "min": (1, 3, 8), "opt": (8, 3, 32), "max": (16, 3, 128)}
WIDE_CASES = [{**SCALE_CASES[0], "name": "broad", "inputs": [WIDE]}]
