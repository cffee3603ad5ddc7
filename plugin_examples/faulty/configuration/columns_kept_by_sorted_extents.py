"""Caches facts about a shape by its sorted dimensions: those of a transposed tensor are the same."""

from plugin_examples.faulty.bases.sound_columns_v3 import COLUMNS_CASES, Columns
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "CFG-009"

PLUGIN_CASES = COLUMNS_CASES


class ColumnsKeptBySortedExtents(Columns):
    def key(self, dims):
        return tuple(sorted(dims))


publish(ColumnsKeptBySortedExtents)
