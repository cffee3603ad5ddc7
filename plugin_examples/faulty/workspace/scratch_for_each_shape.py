"""Allocates its scratch memory again in ``enqueue`` whenever the shape is not the last shape."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "WSP-010"

PLUGIN_CASES = SCALE_CASES


class ScratchForEachShape(Scale):
    shape, address = None, 0

    def compute(self, x, y):
        if self.shape != x.shape:
            self.drop()
            self.shape, self.address = x.shape, cp.cuda.runtime.malloc(x.nbytes)
        super().compute(x, y)

    def drop(self):
        if self.address:
            cp.cuda.runtime.free(self.address)
            self.address = 0

    def destroy(self):
        self.drop()


publish(ScratchForEachShape)
