"""Returns a status code where its device memory cannot be allocated, as a C++ plugin would."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import TableScale

BREAKS = "INI-001"

PLUGIN_CASES = SCALE_CASES

FAILURE = 1


class InitializeReturnsAStatus(TableScale):
    def initialize(self):
        try:
            super().initialize()
        except cp.cuda.runtime.CUDARuntimeError:
            return FAILURE


publish(InitializeReturnsAStatus)
