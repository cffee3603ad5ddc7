"""Has a separate branch for constant dimensions, and forgets the right padding there."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-007"

PLUGIN_CASES = PAD_CASES


class PaddedOnce(Pad):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        last = len(inputs[0]) - 1
        if not inputs[0][last].is_constant():
            return super().get_output_dimensions(output_index, inputs, expr_builder)
        output = trt.DimsExprs(inputs[0])
        output[last] = expr_builder.constant(inputs[0][last].get_constant_value() + self.left)
        return output


publish(PaddedOnce, PadCreator)
