"""Leaves the answer of a format query in its module and returns it from there, while another thread may ask."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "THR-009"

PLUGIN_CASES = SCALE_CASES

LAST = {"answer": False}


class FormatAnswerInTheModule(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        LAST["answer"] = super().supports_format_combination(pos, in_out, num_inputs)
        return LAST["answer"]


publish(FormatAnswerInTheModule)
