"""Reports FP16 for both outputs of FP16 inputs, and accepts FP16 for either but not for both."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pair import PAIR_CASES, Pair, PairCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "FMT-018"
FIXED = {"return pos == num_inputs or here.type != in_out[num_inputs].type": "return True"}

PLUGIN_CASES = PAIR_CASES


class NeverBothHalf(Pair):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here, half = in_out[pos], trt.DataType.HALF
        if in_out[0].type != half or pos < num_inputs:
            return super().supports_format_combination(pos, in_out, num_inputs)
        if here.format != trt.TensorFormat.LINEAR or here.type not in (half, trt.DataType.FLOAT):
            return False
        return pos == num_inputs or here.type != in_out[num_inputs].type


publish(NeverBothHalf, PairCreator)
