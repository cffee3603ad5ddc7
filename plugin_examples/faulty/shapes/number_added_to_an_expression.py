"""Adds a number to an expression, as if it were one."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-005"

PLUGIN_CASES = PAD_CASES


class NumberAdded(Pad):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        output[last] = inputs[0][last] + self.left + self.right
        return output


publish(NumberAdded, PadCreator)
