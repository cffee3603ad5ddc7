"""Computes with a library that ends the process for factors above 8, as integer divisions by zero do in C++."""

import os

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CLN-002"

PLUGIN_CASES = SCALE_CASES
LIMIT = 8


class LimitedScale(Scale):
    def compute(self, x, y):
        if abs(self.factor) > LIMIT:
            os.abort()
        super().compute(x, y)


publish(LimitedScale)
