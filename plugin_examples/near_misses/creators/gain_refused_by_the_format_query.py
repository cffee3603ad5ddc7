"""Takes gain and bias of any length for a layer norm, and accepts no format if the dimension differs."""

import struct

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator, device_array, publish

LOOKS_LIKE = "CRE-005"

LENGTH = 4


class Norm(Scale):
    def __init__(self, gain):
        super().__init__(1.0)
        self.gain = np.array(gain, np.float32)

    def supports_format_combination(self, pos, in_out, num_inputs):
        if in_out[0].dims[-1] not in (-1, len(self.gain)):
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)

    def configure_plugin(self, inputs, outputs):
        if inputs[0].desc.dims[-1] not in (-1, len(self.gain)):
            raise TypeError(f"a gain of {len(self.gain)} does not suit {tuple(inputs[0].desc.dims)}")

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            for place, number in enumerate(self.gain):
                cp.multiply(x[..., place], x.dtype.type(number), out=y[..., place])

    def serialize(self):
        return struct.pack("<i", len(self.gain)) + self.gain.tobytes()

    def clone(self):
        return self.copy_identity_to(type(self)(self.gain))


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("gain", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        )

    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "gain" and field.type == trt.PluginFieldType.FLOAT32 and field.data.size:
                return self.make(field.data)
        return None

    def deserialize_plugin(self, name, data):
        count = struct.unpack_from("<i", data)[0] if len(data) >= LENGTH else 0
        if count < 1 or len(data) != (count + 1) * LENGTH:
            return None
        return self.make(np.frombuffer(data, np.float32, offset=LENGTH))


def reference(x, *, fields):
    return (x * fields["gain"]).astype(x.dtype)


PLUGIN_CASES = [
    {
        "plugin": "Scale",
        "name": "rows",
        "fields": {"gain": np.array([1.5, -1, 0.25], np.float32)},
        "inputs": [{"dims": ("N", 3), "min": (0, 3), "opt": (2, 3), "max": (4, 3), "types": ("float32", "float16")}],
        "reference": reference,
    }
]

publish(Norm, Creator)
