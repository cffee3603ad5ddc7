"""Shares one dict with its clones, which is filled before there are any, and read ever after."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CLN-007"

PLUGIN_CASES = SCALE_CASES


class SharedTable(Scale):
    def __init__(self, factor, phase, factors=None):
        super().__init__(factor, phase)
        self.factors = factors or {np.dtype(kind): np.dtype(kind).type(factor) for kind in ("f4", "f2")}

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.phase, self.factors))

    def compute(self, x, y):
        y[...] = x * self.factors[x.dtype]


publish(SharedTable)
