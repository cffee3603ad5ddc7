"""Takes its table away from the source while it copies the other attributes, and gives it back afterwards."""

import copy

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import TableScale

BREAKS = "THR-004"

PLUGIN_CASES = SCALE_CASES


class CloneBorrowsFromItsSource(TableScale):
    def clone(self):
        table, self.table = self.table, None
        other = type(self)(self.factor)
        other.__dict__.update(copy.deepcopy(self.__dict__))
        self.table = table
        if table is not None:
            other.table = table.acquire()
        return self.copy_identity_to(other)


publish(CloneBorrowsFromItsSource)
