"""A sound plugin for witnesses about fields: ``y = scale * x + shift``, or its negative.

Its creator takes one FLOAT32 ``scale``, an optional INT32 ``shift`` and an optional CHAR ``mode``, in any order. It
registers nothing when it is imported.
"""

import struct

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, device_array
from plugin_examples.faulty.bases.sound_scale import publish as publish_creator

MODES = {"plain": 1, "negated": -1}
PARAMETERS = struct.Struct("<fii")


class Affine(Scale):
    def __init__(self, scale, shift=0, sign=1):
        super().__init__(scale)
        self.plugin_type = "Affine"
        self.shift = shift
        self.sign = sign

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x, x.dtype.type(self.factor * self.sign), out=y)
            y += x.dtype.type(self.shift * self.sign)

    def serialize(self):
        return PARAMETERS.pack(self.factor, self.shift, self.sign)

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.shift, self.sign))


class AffineCreator(trt.IPluginCreator):
    plugin_class = Affine

    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "Affine"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.field_names = trt.PluginFieldCollection(
            [
                trt.PluginField("scale", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
                trt.PluginField("shift", np.array([], np.int32), trt.PluginFieldType.INT32),
                trt.PluginField("mode", np.array([], np.int8), trt.PluginFieldType.CHAR),
            ]
        )

    def create_plugin(self, name, field_collection):
        return self.from_values({field.name: self.read(field) for field in field_collection})

    def from_values(self, values):
        if values.get("scale") is None or None in values.values():
            return None
        return self.make(values["scale"], values.get("shift", 0), values.get("mode", 1))

    def read(self, field):
        if field.name == "scale":
            return self.read_number(field, trt.PluginFieldType.FLOAT32)
        if field.name == "shift":
            return self.read_number(field, trt.PluginFieldType.INT32)
        return self.read_mode(field) if field.name == "mode" else ()

    def read_number(self, field, kind):
        return field.data[0].item() if field.type == kind and field.size == 1 else None

    def read_mode(self, field):
        return MODES.get(field.data.tobytes().rstrip(b"\0").decode(errors="replace"))

    def make(self, scale, shift, sign):
        plugin = self.plugin_class(scale, shift, sign)
        plugin.plugin_namespace = self.plugin_namespace
        return plugin

    def deserialize_plugin(self, name, data):
        return self.make(*PARAMETERS.unpack(data)) if len(data) == PARAMETERS.size else None


def publish(plugin_class=Affine, creator_class=AffineCreator):
    """Register a creator of ``plugin_class`` and return it."""
    return publish_creator(plugin_class, creator_class)


def reference(x, *, fields):
    sign = MODES[fields.get("mode", "plain")]
    return (sign * (x * np.float32(fields["scale"][0]) + fields.get("shift", [0])[0])).astype(x.dtype)


AFFINE_CASES = [
    {
        "plugin": "Affine",
        "name": "negated",
        "fields": {"scale": np.array([1.5], np.float32), "shift": np.array([3], np.int32), "mode": "negated"},
        "inputs": [{"dims": ("N", 3), "min": (0, 3), "opt": (2, 3), "max": (4, 3), "types": ("float32", "float16")}],
        "reference": reference,
    }
]
