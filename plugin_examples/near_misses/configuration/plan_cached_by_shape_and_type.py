"""Keeps a plan for each shape and type, in a cache of each object that holds the last few."""

import functools
import math

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CFG-009"

PLUGIN_CASES = SCALE_CASES


class Planned(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.plan = functools.lru_cache(maxsize=8)(self.planned)

    def planned(self, shape, dtype):
        return dtype.type(self.factor), math.prod(shape)

    def compute(self, x, y):
        factor, count = self.plan(x.shape, x.dtype)
        cp.multiply(x.reshape(count), factor, out=y.reshape(count))


publish(Planned)
