"""Has a way to compute for each number of dimensions, in a table of functions."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "ENQ-004"

PLUGIN_CASES = SCALE_CASES


def flat(x, factor, y):
    cp.multiply(x, factor, out=y)


def by_rows(x, factor, y):
    for row in range(len(x)):
        cp.multiply(x[row], factor, out=y[row])


WAYS = {1: flat, 2: by_rows}


class Chosen(Scale):
    def compute(self, x, y):
        WAYS.get(x.ndim, flat)(x, x.dtype.type(self.factor), y)


publish(Chosen)
