"""Describes its output by other operations, which come to the same dimension."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

LOOKS_LIKE = "SHP-008"

PLUGIN_CASES = PAD_CASES


class OtherOperations(Pad):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        operations = trt.DimensionOperation
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        double = expr_builder.operation(operations.PROD, inputs[0][last], expr_builder.constant(2))
        pads = expr_builder.constant(2 * (self.left + self.right))
        total = expr_builder.operation(operations.SUM, double, pads)
        output[last] = expr_builder.operation(operations.FLOOR_DIV, total, expr_builder.constant(2))
        return output


publish(OtherOperations, PadCreator)
