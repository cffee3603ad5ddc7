"""Repeats the last answer if the tensor at ``pos`` is the same, although tensors before it have changed."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FUZ-005"

PLUGIN_CASES = SCALE_CASES


class LastAnswerAgain(Scale):
    last = None, False

    def supports_format_combination(self, pos, in_out, num_inputs):
        asked, last = (pos, in_out[pos].type, in_out[pos].format), self.last
        answer = last[1] if last[0] == asked else super().supports_format_combination(pos, in_out, num_inputs)
        self.last = asked, answer
        return answer


publish(LastAnswerAgain)
