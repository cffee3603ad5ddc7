"""Inherits how it runs from one class and what it computes from another."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "ENQ-001"

PLUGIN_CASES = SCALE_CASES


class Flattened:
    def compute(self, x, y):
        super().compute(x.ravel(), y.ravel())


class InSinglePrecision:
    def compute(self, x, y):
        y[...] = x.astype(cp.float32) * cp.float32(self.factor)


class Mixed(Flattened, InSinglePrecision, Scale):
    pass


publish(Mixed)
