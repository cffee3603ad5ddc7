"""Updates the first half of the rows in place: the output has fewer elements than the input that it aliases."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases import sound_in_place_v3
from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

LOOKS_LIKE = "ALI-004"


def reference(x, update, *, fields):
    y, step = sound_in_place_v3.reference(x, update, fields=fields)
    return y[: (len(x) + 1) // 2], step


PLUGIN_CASES = [{**IN_PLACE_CASES[0], "reference": reference}]


class FirstRows(InPlace):
    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        shapes = super().get_output_shapes(inputs, shape_inputs, expr_builder)
        two = expr_builder.constant(2)
        shapes[0][0] = expr_builder.operation(trt.DimensionOperation.CEIL_DIV, inputs[0][0], two)
        return shapes

    def add(self, x, update, y, step):
        cp.multiply(update, update.dtype.type(self.factor), out=step)
        cp.add(x[: len(y)], step[: len(y)], out=y)


publish(FirstRows)
