"""Adds each row's predecessor to it, row by row: in place, the predecessor has been overwritten by then."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

BREAKS = "ALI-005"
ALSO = {"ENQ-010": "the results are wrong: plugins run in place if they declare that they can"}


def reference(x, update, *, fields):
    step = (update * np.float32(fields["factor"][0])).astype(update.dtype)
    total = x + step
    total[1:] += x[:-1]
    return total, step


PLUGIN_CASES = [{**case, "reference": reference} for case in IN_PLACE_CASES]


class AddsItsNeighbor(InPlace):
    def add(self, x, update, y, step):
        cp.multiply(update, update.dtype.type(self.factor), out=step)
        cp.add(x[0], step[0], out=y[0])
        for row in range(1, len(x)):
            neighbor = x[row - 1]
            cp.add(x[row], step[row], out=y[row])
            cp.add(y[row], neighbor, out=y[row])


publish(AddsItsNeighbor)
