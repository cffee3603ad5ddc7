"""Takes the type to compute in from configure_plugin, which engines never call."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-007"

PLUGIN_CASES = SCALE_CASES


class TypeConfigured(Scale):
    dtype = None

    def configure_plugin(self, inputs, outputs):
        self.dtype = inputs[0].desc.type

    def compute(self, x, y):
        factors = {trt.DataType.FLOAT: np.float32(self.factor), trt.DataType.HALF: np.float16(self.factor)}
        y[...] = x * factors[self.dtype]

    def copy_identity_to(self, other):
        other.dtype = self.dtype
        return super().copy_identity_to(other)


publish(TypeConfigured)
