"""Takes the factor for its clones from its table once it was initialized, also after the table is gone."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import DeviceTable, TableScale

BREAKS = "CLN-010"
FIXED = {'other.factor = getattr(self.table, "factor", 1.0)': "other.factor = self.factor"}

PLUGIN_CASES = SCALE_CASES


class CloneOfATerminatedPlugin(TableScale):
    started = False

    def initialize(self):
        self.table = DeviceTable([self.factor])
        self.table.factor = self.factor
        self.started = True

    def clone(self):
        other = super().clone()
        if self.started:
            other.factor = getattr(self.table, "factor", 1.0)
        return other


publish(CloneOfATerminatedPlugin)
