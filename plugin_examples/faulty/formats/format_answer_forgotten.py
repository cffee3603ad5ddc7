"""Forgets to return an answer if the type of the output differs from the type of the input."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-005"

PLUGIN_CASES = SCALE_CASES


class AnswerForgotten(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):  # noqa: RET503 - the defect
        if pos == 0 or in_out[pos].format != trt.TensorFormat.LINEAR:
            return super().supports_format_combination(pos, in_out, num_inputs)
        if in_out[pos].type == in_out[0].type:
            return True


publish(AnswerForgotten)
