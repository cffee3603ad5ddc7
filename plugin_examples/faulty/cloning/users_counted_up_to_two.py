"""Counts two users of the shared table at most: with two contexts, the table is freed too early."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import DeviceTable, TableScale

BREAKS = "CLN-008"

PLUGIN_CASES = SCALE_CASES


class TableOfTwo(DeviceTable):
    def acquire(self):
        self.users = 2  # the owner and a clone
        return self


class UsersCountedUpToTwo(TableScale):
    def initialize(self):
        self.table = TableOfTwo([self.factor])


publish(UsersCountedUpToTwo)
