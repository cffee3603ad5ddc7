"""A sound plugin for witnesses to build upon: pads the last axis with zeros, ``pads`` = (left, right).

It registers nothing when it is imported.
"""

import struct

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator, device_array


class Pad(Scale):
    def __init__(self, pads):
        super().__init__(factor=1.0)
        self.plugin_type = "Pad"
        self.left, self.right = pads

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        total = expr_builder.constant(self.left + self.right)
        output[last] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][last], total)
        return output

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(output_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            y = device_array(output_desc[0], outputs[0])
            y.fill(0)
            if trt.volume(input_desc[0].dims):
                x = device_array(input_desc[0], inputs[0])
                y[..., self.left : self.left + x.shape[-1]] = x

    def serialize(self):
        return struct.pack("<2i", self.left, self.right)

    def clone(self):
        return self.copy_identity_to(type(self)((self.left, self.right)))


class PadCreator(ScaleCreator):
    plugin_class = Pad

    def __init__(self):
        super().__init__()
        self.name = "Pad"
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("pads", np.array([], np.int32), trt.PluginFieldType.INT32)]
        )

    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "pads" and field.type == trt.PluginFieldType.INT32 and field.data.shape == (2,):
                pads = tuple(int(n) for n in field.data)
                return self.make(pads) if min(pads) >= 0 else None
        return None

    def deserialize_plugin(self, name, data):
        if len(data) != struct.calcsize("<2i"):
            return None
        return self.make(struct.unpack("<2i", data))


def reference(x, *, fields):
    return np.pad(x, [(0, 0)] * (x.ndim - 1) + [tuple(fields["pads"])])


PAD_CASES = [
    {
        "plugin": "Pad",
        "name": "uneven",
        "fields": {"pads": np.array([1, 2], np.int32)},
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
