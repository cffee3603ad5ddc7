"""Multiplies dimensions in 32 bits: of tensors of 2 GiB and more the size is negative."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale

BREAKS = "WSP-001"

PLUGIN_CASES = SCALE_CASES


class WorkspaceIn32Bits(ScratchScale):
    def get_workspace_size(self, input_desc, output_desc):
        extents = np.array([*input_desc[0].dims, 4], np.int32)
        return int(np.prod(extents, dtype=np.int32))


publish(WorkspaceIn32Bits)
