"""Makes do without its shape input, if a network has none: then the output has the shape of the input."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_cells_v3 import CELLS_CASES, Cells
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-024"

PLUGIN_CASES = CELLS_CASES


class ReplacedByADefault(Cells):
    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        if not shape_inputs:
            return [trt.DimsExprs(inputs[0])]
        return super().get_output_shapes(inputs, shape_inputs, expr_builder)


publish(ReplacedByADefault)
