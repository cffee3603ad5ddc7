"""Edits the shape of the input that it was given, and returns it as the output's."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-013"

PLUGIN_CASES = PAD_CASES


class InputShapeEdited(Pad):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = inputs[0]
        last = len(output) - 1
        total = expr_builder.constant(self.left + self.right)
        output[last] = expr_builder.operation(trt.DimensionOperation.SUM, output[last], total)
        return output


publish(InputShapeEdited, PadCreator)
