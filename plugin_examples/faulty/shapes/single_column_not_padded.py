"""Leaves an axis of length 1 alone in the shape of its output, and pads it all the same."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-008"

PLUGIN_CASES = PAD_CASES


class SingleColumnNotPadded(Pad):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        operations = trt.DimensionOperation
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        is_wide = expr_builder.operation(operations.LESS, expr_builder.constant(1), inputs[0][last])
        total = expr_builder.operation(operations.PROD, is_wide, expr_builder.constant(self.left + self.right))
        output[last] = expr_builder.operation(operations.SUM, inputs[0][last], total)
        return output


publish(SingleColumnNotPadded, PadCreator)
