"""Adds to its workspace by the logarithm of the width less one, which a single column does not have."""

import math

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale, nbytes

BREAKS = "WSP-007"

PLUGIN_CASES = SCALE_CASES


class WorkspaceByLogarithm(ScratchScale):
    def get_workspace_size(self, input_desc, output_desc):
        width = max(tuple(input_desc[0].dims)[-1], 0)
        levels = int(math.log2(width - 1)) if width else 0
        return nbytes(input_desc[0]) + 64 * levels


publish(WorkspaceByLogarithm)
