"""Rounds its factor to half precision when it is configured for FP16, which engines never do."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-007"

PLUGIN_CASES = SCALE_CASES


class HalfFactorConfigured(Scale):
    half_factor = np.float16(1)

    def configure_plugin(self, inputs, outputs):
        if inputs[0].desc.type == trt.DataType.HALF:
            self.half_factor = np.float16(self.factor)

    def compute(self, x, y):
        y[...] = x * (self.half_factor if x.dtype == np.float16 else np.float32(self.factor))

    def copy_identity_to(self, other):
        other.half_factor = self.half_factor
        return super().copy_identity_to(other)


publish(HalfFactorConfigured)
