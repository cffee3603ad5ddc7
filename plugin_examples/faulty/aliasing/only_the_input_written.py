"""Writes the sum to the first input alone, trusting that the output is the same memory."""

import cupy as cp

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

BREAKS = "ALI-006"

PLUGIN_CASES = IN_PLACE_CASES


class WritesTheInput(InPlace):
    def add(self, x, update, y, step):
        cp.multiply(update, update.dtype.type(self.factor), out=step)
        cp.add(x, step, out=x)


publish(WritesTheInput)
