"""Returns the workspace size as a NumPy float, whose fraction the bindings cut off without a message."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale, nbytes

BREAKS = "WSP-001"

PLUGIN_CASES = SCALE_CASES


class WorkspaceInFloats(ScratchScale):
    def get_workspace_size(self, input_desc, output_desc):
        return np.float32(nbytes(input_desc[0]))


publish(WorkspaceInFloats)
