"""Computes its workspace for the optimum shapes of the profile, not for the maximum."""

import math

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

BREAKS = "WSP-004"

PLUGIN_CASES = SCALE_CASES


class OptimalWorkspace(ScratchScale):
    def get_workspace_size(self, inputs, outputs):
        return 4 * math.prod(inputs[0].opt)


publish(OptimalWorkspace)
