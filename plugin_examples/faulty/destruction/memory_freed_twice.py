"""Frees its memory in ``destroy`` and once more in ``__del__``."""

import cupy as cp

from plugin_examples.faulty.bases.sound_owner import Owner
from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish

BREAKS = "DST-002"

PLUGIN_CASES = SCALE_CASES


class MemoryFreedTwice(Owner):
    def release(self):
        if self.memory is not None:
            cp.cuda.runtime.free(self.memory)


publish(MemoryFreedTwice)
