"""Clears its output, then adds both inputs to it: in place, that clears the first input, too."""

import cupy as cp

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

BREAKS = "ALI-005"
ALSO = {"ENQ-010": "the results are wrong: plugins run in place if they declare that they can"}

PLUGIN_CASES = IN_PLACE_CASES


class ClearsFirst(InPlace):
    def add(self, x, update, y, step):
        cp.multiply(update, update.dtype.type(self.factor), out=step)
        y.fill(0)
        for summand in (x, step):
            cp.add(y, summand, out=y)


publish(ClearsFirst)
