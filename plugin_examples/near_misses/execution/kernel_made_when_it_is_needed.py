"""Makes a kernel for each type at the first need, and keeps it for all objects, behind a lock."""

import threading

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "ENQ-014"

PLUGIN_CASES = SCALE_CASES


def compiled(dtype):
    def kernel(x, factor, y):
        cp.multiply(x, dtype.type(factor), out=y)

    return kernel


class Lazy(Scale):
    kernels, lock = {}, threading.Lock()

    def kernel(self, dtype):
        with self.lock:
            if dtype not in self.kernels:
                self.kernels[dtype] = compiled(dtype)
            return self.kernels[dtype]

    def compute(self, x, y):
        self.kernel(x.dtype)(x, self.factor, y)


publish(Lazy)
