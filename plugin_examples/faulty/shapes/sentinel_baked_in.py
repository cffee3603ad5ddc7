"""Reads the value of the last dimension without asking whether it is a constant."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-007"

PLUGIN_CASES = PAD_CASES


class SentinelBakedIn(Pad):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        output[last] = expr_builder.constant(inputs[0][last].get_constant_value() + self.left + self.right)
        return output


publish(SentinelBakedIn, PadCreator)
