"""Frees device memory that its clones use as well, when the last of them lets go of it."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import TableScale

LOOKS_LIKE = "CLN-008"

PLUGIN_CASES = SCALE_CASES


class CountedTable(TableScale):
    def terminate(self):
        if self.table is not None:
            self.table, table = None, self.table
            table.release()


publish(CountedTable)
