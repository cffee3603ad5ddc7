"""Keeps one scratch buffer for all objects, behind a lock, which separates threads but not streams."""

import threading

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FUZ-009"

PLUGIN_CASES = SCALE_CASES


LOCK, SCRATCH = threading.Lock(), {}


class OneScratch(Scale):
    def compute(self, x, y):
        with LOCK:
            if x.dtype not in SCRATCH:
                SCRATCH[x.dtype] = cp.empty((4 * 3 * 9,), x.dtype)
            part = SCRATCH[x.dtype][: x.size].reshape(x.shape)
            cp.multiply(x, x.dtype.type(self.factor), out=part)
            y[...] = part


publish(OneScratch)
