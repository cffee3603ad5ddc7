"""Takes small values for zero, as after a wrong constant in a guard against division by zero."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ENQ-010"
FIXED = {"cp.multiply(y, cp.abs(x) > SMALL, out=y)": "pass"}

PLUGIN_CASES = SCALE_CASES[:1]

SMALL = 1e-4


class SmallValuesBecomeZero(Scale):
    def compute(self, x, y):
        super().compute(x, y)
        cp.multiply(y, cp.abs(x) > SMALL, out=y)


publish(SmallValuesBecomeZero)
