"""Keeps its parameters in slots, which are not in its ``__dict__``."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CLN-002"

PLUGIN_CASES = SCALE_CASES


class Slotted(Scale):
    __slots__ = ("offset",)

    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.offset = 0

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(self.factor + self.offset), out=y)


publish(Slotted)
