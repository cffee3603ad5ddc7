"""Leaves its first buffer allocated when ``initialize`` cannot get the second."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import TableScale

BREAKS = "INI-006"
FIXED = {
    "spare = cp.cuda.runtime.malloc(1024)\nsuper().initialize()\nself.spare = spare": (
        "super().initialize()\nself.spare = cp.cuda.runtime.malloc(1024)"
    ),
}

PLUGIN_CASES = SCALE_CASES


class FailedInitializeLeaks(TableScale):
    spare = None

    def initialize(self):
        spare = cp.cuda.runtime.malloc(1024)
        super().initialize()
        self.spare = spare

    def terminate(self):
        super().terminate()
        cp.cuda.runtime.free(self.spare)
        self.spare = None


publish(FailedInitializeLeaks)
