"""Takes an array from the pool to see how large its workspace is, and keeps it until the next question."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale, nbytes

BREAKS = "WSP-005"

PLUGIN_CASES = SCALE_CASES


class WorkspaceTriedOut(ScratchScale):
    trial = None

    def get_workspace_size(self, input_desc, output_desc):
        self.trial = cp.empty(nbytes(input_desc[0]), np.uint8)
        return self.trial.nbytes


publish(WorkspaceTriedOut)
