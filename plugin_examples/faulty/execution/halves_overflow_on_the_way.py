"""Multiplies by a thousand and by a thousandth of its factor: in FP16, 66 overflows on the way."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ENQ-022"

PLUGIN_CASES = SCALE_CASES


class HalvesOverflowOnTheWay(Scale):
    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(1000), out=y)
        cp.multiply(y, x.dtype.type(self.factor / 1000), out=y)


publish(HalvesOverflowOnTheWay)
