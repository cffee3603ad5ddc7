"""Keeps its answers by all types and formats up to ``pos``, also for clones: no two questions share an answer."""

from plugin_examples.faulty.bases.sound_pair import PAIR_CASES, Pair, PairCreator
from plugin_examples.faulty.bases.sound_scale import publish

LOOKS_LIKE = "FUZ-005"

PLUGIN_CASES = PAIR_CASES


class AnswersKept(Pair):
    def __init__(self, factor):
        super().__init__(factor)
        self.answers = {}

    def supports_format_combination(self, pos, in_out, num_inputs):
        question = tuple((each.type, each.format) for each in in_out[: pos + 1])
        if question not in self.answers:
            self.answers[question] = super().supports_format_combination(pos, in_out, num_inputs)
        return self.answers[question]

    def clone(self):
        other = super().clone()
        other.answers = self.answers
        return other


publish(AnswersKept, PairCreator)
