"""Caches the number of columns in the module, by the number of elements: new plugins use old numbers."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_columns import COLUMNS_CASES, Columns
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "CFG-009"
ALSO = {"ENQ-010": "new plugins run at several shapes in one process, and two shapes have equally many elements"}

PLUGIN_CASES = COLUMNS_CASES

KNOWN = {}


class ColumnsOfAllPlugins(Columns):
    def configure_plugin(self, inputs, outputs):
        dims = tuple(inputs[0].desc.dims)
        if -1 not in dims:
            self.columns = KNOWN.setdefault(trt.volume(dims), dims[-1])


publish(ColumnsOfAllPlugins)
