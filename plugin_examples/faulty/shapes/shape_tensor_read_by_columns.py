"""Reads its 2x3 shape input column after column: number and size of the cells of one axis side by side."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_cells_v3 import CELLS_CASES, Cells
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-014"

PLUGIN_CASES = CELLS_CASES


class ReadByColumns(Cells):
    def extent(self, axis, shape_inputs, expr_builder):
        cells, size = shape_inputs[0][2 * axis], shape_inputs[0][2 * axis + 1]
        return expr_builder.operation(trt.DimensionOperation.PROD, cells, size)


publish(ReadByColumns)
