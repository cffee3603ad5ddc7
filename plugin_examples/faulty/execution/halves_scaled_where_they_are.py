"""Scales the input where it is and copies it, for half precision alone."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ENQ-004"

PLUGIN_CASES = SCALE_CASES


class HalvesScaledWhereTheyAre(Scale):
    def compute(self, x, y):
        if x.dtype != np.float16:
            super().compute(x, y)
            return
        cp.multiply(x, x.dtype.type(self.factor), out=x)
        y[...] = x


publish(HalvesScaledWhereTheyAre)
