"""A sound IPluginV3 for witnesses to build upon: ``y = factor * x``, of any rank, FP32 or FP16, linear.

It registers nothing when it is imported; a witness overrides what it breaks and registers its own creator with
``publish``.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)


class Scale(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.num_outputs = 1
        self.factor = factor
        self.phase = phase
        self.stored_factor = np.array([factor], np.float32)  # TensorRT reads the field from here

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.phase))

    def copy_identity_to(self, other):
        other.plugin_namespace = self.plugin_namespace
        return other

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return [trt.DimsExprs(inputs[0])]

    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos].desc
        if here.format != trt.TensorFormat.LINEAR:
            return False
        return here.type in TYPES if pos == 0 else here.type == in_out[0].desc.type

    def configure_plugin(self, inputs, outputs):
        pass

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"there is no tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        pass

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            self.compute(x, y)

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(self.factor), out=y)

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32)])

    def destroy(self):
        pass


class ScaleCreator(trt.IPluginCreatorV3One):
    plugin_class = Scale

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.advertised = [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self.advertised)

    def create_plugin(self, name, field_collection, phase):
        factor = None
        for field in field_collection:
            if field.name == "factor":
                factor = self.read_factor(field)
        return None if factor is None else self.make(factor, phase)

    def read_factor(self, field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.data.size != 1:
            return None
        return float(field.data[0])

    def make(self, factor, phase):
        plugin = self.plugin_class(factor, phase)
        plugin.plugin_namespace = self.plugin_namespace
        return plugin


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
    },
    {
        "plugin": "Scale",
        "name": "static",
        "fields": {"factor": np.array([-0.5], np.float32)},
        "inputs": [{"dims": (2, 4)}],
        "reference": reference,
    },
]
