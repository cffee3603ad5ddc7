"""Takes a network without its shape input as well, as a case says: the output is like the input then."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_cells_v3 import CELLS_CASES, Cells
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

LOOKS_LIKE = "SHP-024"

PLUGIN_CASES = [*CELLS_CASES, SCALE_CASES[0]]


class ShapeInputLeftOut(Cells):
    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        if not shape_inputs:
            return [trt.DimsExprs(inputs[0])]
        return super().get_output_shapes(inputs, shape_inputs, expr_builder)


publish(ShapeInputLeftOut)
