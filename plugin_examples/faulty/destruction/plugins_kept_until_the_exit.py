"""Has what it ends with called at the interpreter's exit, too, and never takes that back."""

import atexit

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import TableScale

BREAKS = "DST-006"

PLUGIN_CASES = SCALE_CASES


class KeptUntilTheExit(TableScale):
    def initialize(self):
        super().initialize()
        atexit.register(self.release_table)


publish(KeptUntilTheExit)
