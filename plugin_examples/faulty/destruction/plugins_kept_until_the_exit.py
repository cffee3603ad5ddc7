"""Registers its own method with ``atexit``, and never unregisters it: that keeps the plugin alive."""

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
