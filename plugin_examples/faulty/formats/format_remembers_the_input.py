"""Remembers the type of the last query at pos 0, and compares the output's type with it."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-002"

PLUGIN_CASES = SCALE_CASES


class RemembersTheInput(Scale):
    input_type = None

    def supports_format_combination(self, pos, in_out, num_inputs):
        if pos == 0:
            self.input_type = in_out[0].type
            return super().supports_format_combination(pos, in_out, num_inputs)
        return in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type == self.input_type


publish(RemembersTheInput)
