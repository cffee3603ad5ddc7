"""Adds to its scratch memory as if that were zero at first."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale

BREAKS = "WSP-008"
ALSO = {
    "ENQ-005": "the outputs change with the poison that outputs and workspace are filled with",
    "ENQ-010": "the workspace holds no zeros there, so the result is wrong",
}

PLUGIN_CASES = SCALE_CASES


class WorkspaceTakenForZeroed(ScratchScale):
    def compute(self, x, y, scratch):
        scratch += x
        cp.multiply(scratch, x.dtype.type(self.factor), out=y)


publish(WorkspaceTakenForZeroed)
