"""Scales its second input in place, although no output aliases it."""

import cupy as cp

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

BREAKS = "ALI-007"
ALSO = {"ENQ-004": "this rule checks the inputs of all plugins"}

PLUGIN_CASES = IN_PLACE_CASES


class ScalesTheUpdate(InPlace):
    def add(self, x, update, y, step):
        cp.multiply(update, update.dtype.type(self.factor), out=update)
        step[...] = update
        cp.add(x, update, out=y)


publish(ScalesTheUpdate)
