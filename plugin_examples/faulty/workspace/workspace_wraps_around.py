"""Stores its size in 32 bits without a sign: of 4 GiB and more, what is left is small."""

import ctypes

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

BREAKS = "WSP-001"

PLUGIN_CASES = SCALE_CASES


class WorkspaceWrapsAround(ScratchScale):
    def get_workspace_size(self, inputs, outputs):
        return ctypes.c_uint32(super().get_workspace_size(inputs, outputs)).value


publish(WorkspaceWrapsAround)
