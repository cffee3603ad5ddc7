"""Assigns the outer and the last dimension, and leaves the dimension between them empty."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-003"

PLUGIN_CASES = PAD_CASES


class DimensionLeftEmpty(Pad):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        padded = super().get_output_dimensions(output_index, inputs, expr_builder)
        output = trt.DimsExprs(len(inputs[0]))
        output[0] = inputs[0][0]
        output[len(output) - 1] = padded[len(padded) - 1]
        return output


publish(DimensionLeftEmpty, PadCreator)
