"""Assigns a number to a dimension where the input's dimension is known, instead of a constant expression."""

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-005"

PLUGIN_CASES = PAD_CASES


class NumberAssigned(Pad):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = super().get_output_dimensions(output_index, inputs, expr_builder)
        last = len(output) - 1
        if inputs[0][last].is_constant():
            output[last] = inputs[0][last].get_constant_value() + self.left + self.right
        return output


publish(NumberAssigned, PadCreator)
