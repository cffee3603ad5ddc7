"""Knows the type of output 0 only."""

from plugin_examples.faulty.bases.sound_pair import PAIR_CASES, Pair, PairCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "OUT-010"

PLUGIN_CASES = PAIR_CASES


class FirstOutputOnly(Pair):
    def get_output_datatype(self, index, input_types):
        return {0: input_types[0]}[index]


publish(FirstOutputOnly, PairCreator)
