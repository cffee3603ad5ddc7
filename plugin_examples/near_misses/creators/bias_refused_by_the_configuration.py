"""Takes a bias of any length, and refuses one that does not suit the channels when it is configured."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "CRE-005"


class ChannelsError(Exception):
    pass


class Bias(Scale):
    def __init__(self, bias, phase=trt.TensorRTPhase.BUILD):
        super().__init__(1.0, phase)
        self.bias = np.array(bias, np.float32)

    def clone(self):
        return self.copy_identity_to(type(self)(self.bias, self.phase))

    def configure_plugin(self, inputs, outputs):
        self.insist_on(inputs[0].desc.dims)

    def on_shape_change(self, inputs, outputs):
        self.insist_on(inputs[0].dims)

    def insist_on(self, dims):
        if dims[1] not in (-1, len(self.bias)):
            raise ChannelsError(f"a bias of {len(self.bias)} does not suit {tuple(dims)}")

    def compute(self, x, y):
        for channel, number in enumerate(self.bias):
            cp.add(x[:, channel], x.dtype.type(number), out=y[:, channel])

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("bias", self.bias, trt.PluginFieldType.FLOAT32)])


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.advertised = [trt.PluginField("bias", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self.advertised)

    def create_plugin(self, name, field_collection, phase):
        for field in field_collection:
            if field.name == "bias" and field.type == trt.PluginFieldType.FLOAT32 and field.data.size:
                return self.make(field.data, phase)
        return None


def reference(x, *, fields):
    return (x + fields["bias"].reshape(1, -1, 1)).astype(x.dtype)


PLUGIN_CASES = [
    {
        "plugin": "Scale",
        "name": "channels",
        "fields": {"bias": np.array([1.5, -1, 0.25], np.float32)},
        "inputs": SCALE_CASES[0]["inputs"],
        "reference": reference,
    }
]

publish(Bias, Creator)
