"""A sound plugin for witnesses to build upon: the largest of every ``window`` neighbours along the last axis.

The last window may be cut short (ceil mode). It registers nothing when it is imported.
"""

import struct

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator, device_array


class Pool(Scale):
    def __init__(self, window):
        super().__init__(factor=1.0)
        self.plugin_type = "Pool"
        self.window = window

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        window = expr_builder.constant(self.window)
        output[last] = expr_builder.operation(trt.DimensionOperation.CEIL_DIV, inputs[0][last], window)
        return output

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(output_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            for place in range(y.shape[-1]):
                y[..., place] = x[..., place * self.window : (place + 1) * self.window].max(axis=-1)

    def serialize(self):
        return struct.pack("<i", self.window)

    def clone(self):
        return self.copy_identity_to(type(self)(self.window))


class PoolCreator(ScaleCreator):
    plugin_class = Pool

    def __init__(self):
        super().__init__()
        self.name = "Pool"
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("window", np.array([], np.int32), trt.PluginFieldType.INT32)]
        )

    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "window" and field.type == trt.PluginFieldType.INT32 and field.data.size == 1:
                window = int(field.data[0])
                return self.make(window) if window > 0 else None
        return None

    def deserialize_plugin(self, name, data):
        if len(data) != struct.calcsize("<i"):
            return None
        return self.make(struct.unpack("<i", data)[0])


def reference(x, *, fields):
    window = int(fields["window"][0])
    columns = [x[..., begin : begin + window].max(axis=-1) for begin in range(0, x.shape[-1], window)]
    return np.stack(columns, axis=-1)


POOL_CASES = [
    {
        "plugin": "Pool",
        "name": "ceil-mode",
        "fields": {"window": np.array([2], np.int32)},
        "inputs": [
            {
                "dims": ("N", 3, "W"),
                "min": (0, 3, 2),
                "opt": (2, 3, 6),
                "max": (4, 3, 8),
                "types": ("float32", "float16"),
            }
        ],
        "reference": reference,
    }
]
