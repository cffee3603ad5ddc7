"""Keeps one scratch buffer for all contexts, behind a lock: that keeps threads apart, and not streams."""

import threading

import cupy as cp

from plugin_examples.faulty.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FUZ-009"

PLUGIN_CASES = SCALE_CASES


class OneScratch(Scale):
    scratch = {}
    lock = threading.Lock()

    def compute(self, x, y):
        with self.lock:
            if x.dtype not in self.scratch:
                self.scratch[x.dtype] = cp.empty((4 * 3 * 9,), x.dtype)
            part = self.scratch[x.dtype][: x.size].reshape(x.shape)
            cp.multiply(x, x.dtype.type(self.factor), out=part)
            y[...] = part


publish(OneScratch)
