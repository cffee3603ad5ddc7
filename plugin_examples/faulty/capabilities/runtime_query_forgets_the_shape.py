"""Forgets the width of the last shape at each query of its RUNTIME capability, and then uses 1."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-007"
ALSO = {
    "ENQ-005": "outputs that are never written hold what was there",
    "ENQ-010": "TensorRT asks before enqueue, and most of the output is not written",
}

PLUGIN_CASES = SCALE_CASES


class AskedForgetsTheShape(Scale):
    width = None

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        if type == trt.PluginCapabilityType.RUNTIME:
            self.width = None
        return self

    def on_shape_change(self, inputs, outputs):
        self.width = inputs[0].dims[-1]

    def compute(self, x, y):
        width = self.width or 1
        y[..., :width] = x[..., :width] * x.dtype.type(self.factor)


publish(AskedForgetsTheShape)
