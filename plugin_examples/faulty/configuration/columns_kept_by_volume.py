"""Caches facts about a shape by its number of elements, which other shapes have as well."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_columns import COLUMNS_CASES, Columns
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "CFG-009"

PLUGIN_CASES = COLUMNS_CASES


class ColumnsKeptByVolume(Columns):
    def key(self, dims):
        return trt.volume(dims)


publish(ColumnsKeptByVolume)
