"""Keeps its weights by the number of columns, which is all that they depend on."""

from plugin_examples.faulty.bases.sound_columns import COLUMNS_CASES, Columns
from plugin_examples.faulty.bases.sound_scale import publish

LOOKS_LIKE = "CFG-009"

PLUGIN_CASES = COLUMNS_CASES


class ColumnsKeptByTheirNumber(Columns):
    def key(self, dims):
        return dims[-1]


publish(ColumnsKeptByTheirNumber)
