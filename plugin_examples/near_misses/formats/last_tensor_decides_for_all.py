"""Accepts any mixture of linear tensors except at the last position, where it compares all types."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pair import PAIR_CASES, Pair, PairCreator
from plugin_examples.faulty.bases.sound_scale import publish

LOOKS_LIKE = "FMT-001"

PLUGIN_CASES = PAIR_CASES
TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)


class LastTensorDecides(Pair):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if here.format != trt.TensorFormat.LINEAR or here.type not in TYPES:
            return False
        return pos == 0 or here.type == in_out[pos - 1].type


publish(LastTensorDecides, PairCreator)
