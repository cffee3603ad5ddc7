"""Caches facts about a shape by its first dimension, the batch, though others vary, too."""

from plugin_examples.faulty.bases.sound_columns_v3 import COLUMNS_CASES, Columns
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "CFG-009"

PLUGIN_CASES = COLUMNS_CASES


class ColumnsKeptByBatch(Columns):
    def key(self, dims):
        return dims[0]


publish(ColumnsKeptByBatch)
