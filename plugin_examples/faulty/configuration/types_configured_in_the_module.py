"""Puts the factor for a type into a module's table when it is configured for that type."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-007"

PLUGIN_CASES = SCALE_CASES

FACTORS = {}


class TypesInTheModule(Scale):
    def configure_plugin(self, inputs, outputs):
        dtype = np.dtype(trt.nptype(inputs[0].desc.type))
        FACTORS[dtype, self.factor] = dtype.type(self.factor)

    def compute(self, x, y):
        y[...] = x * FACTORS[x.dtype, self.factor]


publish(TypesInTheModule)
