"""Takes device memory in each clone to check whether there is enough, and frees it at once."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-012"

PLUGIN_CASES = SCALE_CASES


class CloneTakesMemory(Scale):
    def clone(self):
        cp.cuda.runtime.free(cp.cuda.runtime.malloc(4096))
        return super().clone()


publish(CloneTakesMemory)
