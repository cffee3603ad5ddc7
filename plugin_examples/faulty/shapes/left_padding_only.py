"""Counts only the left padding in the shape of its output."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-008"

PLUGIN_CASES = PAD_CASES


class LeftPaddingOnly(Pad):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        left = expr_builder.constant(self.left)
        output[last] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][last], left)
        return output


publish(LeftPaddingOnly, PadCreator)
