"""Indexes the first shape input without checking how many there are."""

from plugin_examples.faulty.bases.sound_cells_v3 import CELLS_CASES, RANK, Cells
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-024"
FIXED = {
    "if len(shape_inputs[0]) != 2 * RANK:": ("if len(shape_inputs) != 1 or len(shape_inputs[0]) != 2 * RANK:"),
}

PLUGIN_CASES = CELLS_CASES


class NotCounted(Cells):
    def check(self, inputs, shape_inputs):
        if len(shape_inputs[0]) != 2 * RANK:
            raise ValueError(f"the shape input has to be a 2x{RANK} tensor")


publish(NotCounted)
