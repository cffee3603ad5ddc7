"""Uploads a constant when it is used for the first time, as a cached property of each object."""

import functools

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CFG-008"

PLUGIN_CASES = SCALE_CASES


class Cached(Scale):
    @functools.cached_property
    def on_device(self):
        return cp.full((), self.factor, cp.float32)

    def compute(self, x, y):
        cp.multiply(x, self.on_device.astype(x.dtype), out=y)


publish(Cached)
