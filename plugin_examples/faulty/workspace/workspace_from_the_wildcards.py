"""Computes its workspace from desc.dims, and takes 1 for every -1 in it."""

import math

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

BREAKS = "WSP-004"

PLUGIN_CASES = SCALE_CASES


class WildcardWorkspace(ScratchScale):
    def get_workspace_size(self, inputs, outputs):
        return 4 * math.prod(max(extent, 1) for extent in inputs[0].desc.dims)


publish(WildcardWorkspace)
