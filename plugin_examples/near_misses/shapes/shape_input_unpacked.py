"""Unpacks its shape input instead of counting: any other number of them is a ValueError as well."""

from plugin_examples.faulty.bases.sound_cells_v3 import CELLS_CASES, RANK, Cells
from plugin_examples.faulty.bases.sound_scale_v3 import publish

LOOKS_LIKE = "SHP-024"

PLUGIN_CASES = CELLS_CASES


class Unpacked(Cells):
    def check(self, inputs, shape_inputs):
        (grid,) = shape_inputs
        if len(grid) != 2 * RANK:
            raise ValueError(f"the shape input has to be a 2x{RANK} tensor")


publish(Unpacked)
