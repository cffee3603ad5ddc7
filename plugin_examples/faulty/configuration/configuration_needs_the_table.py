"""Fills its table in ``configure_plugin``, though ``initialize`` allocates it, which comes later."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import TableScale

BREAKS = "CFG-003"
ALSO = {"CFG-012": "configure_plugin raises for an accepted combination"}
FIXED = {
    ("def configure_plugin(self, inputs, outputs):\n    self.table.array().set(np.array([self.factor], np.float32))"): (
        "def initialize(self):\n"
        "    super().initialize()\n"
        "    self.table.array().set(np.array([self.factor], np.float32))"
    ),
}

PLUGIN_CASES = SCALE_CASES


class ConfigurationNeedsTheTable(TableScale):
    def configure_plugin(self, inputs, outputs):
        self.table.array().set(np.array([self.factor], np.float32))


publish(ConfigurationNeedsTheTable)
