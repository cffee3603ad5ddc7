"""Takes the shape input for its first row: the cells are counted, and each of them has one element."""

from plugin_examples.faulty.bases.sound_cells_v3 import CELLS_CASES, Cells
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-014"

PLUGIN_CASES = CELLS_CASES


class FirstRowOnly(Cells):
    def extent(self, axis, shape_inputs, expr_builder):
        return shape_inputs[0][axis]


publish(FirstRowOnly)
