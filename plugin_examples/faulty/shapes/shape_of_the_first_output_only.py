"""Has no branch for the shape of output 1, so that it returns None."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pair import PAIR_CASES, Pair, PairCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-002"
FIXED = {"if output_index == 0:\n    return trt.DimsExprs(inputs[0])": "return trt.DimsExprs(inputs[0])"}

PLUGIN_CASES = PAIR_CASES


class FirstOutputOnly(Pair):
    def get_output_dimensions(self, output_index, inputs, expr_builder):  # noqa: RET503 - the defect
        if output_index == 0:
            return trt.DimsExprs(inputs[0])


publish(FirstOutputOnly, PairCreator)
