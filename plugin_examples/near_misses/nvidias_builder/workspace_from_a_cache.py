"""Computes the workspace for each maximum once in a process: every build gets the same answer."""

import functools
import math

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

LOOKS_LIKE = "GEN-005"

PLUGIN_CASES = SCALE_CASES


@functools.lru_cache(maxsize=64)
def nbytes_for(extents):
    return 4 * math.prod(extents)


class CachedWorkspace(ScratchScale):
    def get_workspace_size(self, inputs, outputs):
        return nbytes_for(tuple(inputs[0].max))


publish(CachedWorkspace)
