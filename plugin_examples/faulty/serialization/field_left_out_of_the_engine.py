"""Stores no bias, so that an engine has the default one."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "SER-008"

PLUGIN_CASES = [{**case, "reference": None} for case in SCALE_CASES]


class NoBias(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.bias = 0.25 if self.phase == trt.TensorRTPhase.BUILD else 0.0

    def compute(self, x, y):
        super().compute(x, y)
        y += x.dtype.type(self.bias)

    def copy_identity_to(self, other):
        other.bias = self.bias
        return super().copy_identity_to(other)


publish(NoBias)
