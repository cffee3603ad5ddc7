"""Frees the shared table when any of its users is destroyed."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import DeviceTable, TableScale

BREAKS = "CLN-008"

PLUGIN_CASES = SCALE_CASES


class UncountedTable(DeviceTable):
    def acquire(self):
        return self

    def release(self):
        if self.address:
            self.users = 1
            super().release()


class CloneFreesWhatItShares(TableScale):
    def initialize(self):
        self.table = UncountedTable([self.factor])


publish(CloneFreesWhatItShares)
