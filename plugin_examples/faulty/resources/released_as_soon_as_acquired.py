"""Releases the shared resource as soon as it has it, and goes on reading the factor from it."""

import cupy as cp

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-006"

PLUGIN_CASES = SCALE_CASES


class ReleasedAsSoonAsAcquired(SharedScale):
    def acquire(self):
        super().acquire()
        self.release()

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(self.resource.factor), out=y)

    def destroy(self):
        self.resource = None


publish(ReleasedAsSoonAsAcquired)
