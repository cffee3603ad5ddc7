"""Wants both outputs to have one type, and compares them already while the last input is asked about."""

from plugin_examples.faulty.bases.sound_pair import PAIR_CASES, Pair, PairCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "FUZ-005"

PLUGIN_CASES = PAIR_CASES


class ComparedAhead(Pair):
    def supports_format_combination(self, pos, in_out, num_inputs):
        if pos == num_inputs - 1 and in_out[num_inputs].type != in_out[num_inputs + 1].type:
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(ComparedAhead, PairCreator)
