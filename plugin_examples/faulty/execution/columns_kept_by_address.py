"""Caches the number of columns of an input by its address, where the next call may have another shape."""

from plugin_examples.faulty.bases.sound_columns_v3 import COLUMNS_CASES, Columns
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "ENQ-007"
FIXED = {"key = inputs[0]": "key = tuple(input_desc[0].dims)"}

PLUGIN_CASES = COLUMNS_CASES


class ColumnsKeptByAddress(Columns):
    def on_shape_change(self, inputs, outputs):
        pass

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        key = inputs[0]
        self.columns = self.known.setdefault(key, input_desc[0].dims[-1])
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(ColumnsKeptByAddress)
