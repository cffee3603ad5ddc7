"""Squares in FP16 to divide a row by its length: from 256 on, the sum overflows."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ENQ-022"


def reference(x, *, fields):
    wide = x.astype(np.float32)
    norm = np.sqrt((wide * wide).sum(-1, keepdims=True) + 1)
    return (wide / norm * np.float32(fields["factor"][0])).astype(x.dtype)


PLUGIN_CASES = [{**SCALE_CASES[0], "reference": reference}]


class SquaresOverflowInHalves(Scale):
    def compute(self, x, y):
        norm = cp.sqrt((x * x).sum(-1, keepdims=True).astype(np.float32) + 1)
        y[...] = x.astype(np.float32) / norm * np.float32(self.factor)


publish(SquaresOverflowInHalves)
