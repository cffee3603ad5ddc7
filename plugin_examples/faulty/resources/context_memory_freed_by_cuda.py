"""Frees with ``cudaFree`` what the allocator of its context gave it."""

import cupy as cp

from plugin_examples.faulty.bases.sound_resource_v3 import LentScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-012"

PLUGIN_CASES = SCALE_CASES


class ContextMemoryFreedByCuda(LentScale):
    def give_back(self):
        cp.cuda.runtime.free(self.address)


publish(ContextMemoryFreedByCuda)
