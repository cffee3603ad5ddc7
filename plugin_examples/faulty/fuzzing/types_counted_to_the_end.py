"""Mixes at most two types, and also counts those of tensors that are not described yet."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pair import PAIR_CASES, Pair, PairCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "FUZ-005"

PLUGIN_CASES = PAIR_CASES
MOST = 2


class CountedToTheEnd(Pair):
    def supports_format_combination(self, pos, in_out, num_inputs):
        linear = in_out[pos].format == trt.TensorFormat.LINEAR
        if len({each.type for each in in_out}) > MOST:
            return False
        return linear and super().supports_format_combination(pos, in_out, num_inputs)


publish(CountedToTheEnd, PairCreator)
