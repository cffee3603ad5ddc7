"""Makes the constant of its padding once, and keeps it for later calls."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-004"

PLUGIN_CASES = PAD_CASES


class ExpressionCached(Pad):
    total = None

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        if self.total is None:
            self.total = expr_builder.constant(self.left + self.right)
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        output[last] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][last], self.total)
        return output


publish(ExpressionCached, PadCreator)
