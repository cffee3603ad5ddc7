"""Forgets the width of the last shape at each query of its CORE capability."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-007"
FIXED = {
    "if type == trt.PluginCapabilityType.CORE:\n    self.width = None\nreturn self": "return self",
}

PLUGIN_CASES = SCALE_CASES


class AskedIsReset(Scale):
    width = None

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        if type == trt.PluginCapabilityType.CORE:
            self.width = None
        return self

    def on_shape_change(self, inputs, outputs):
        self.width = inputs[0].dims[-1]

    def compute(self, x, y):
        y[..., : self.width or 1] = x[..., : self.width or 1] * x.dtype.type(self.factor)


publish(AskedIsReset)
