"""Takes any mixture of types for its inputs, and reads the second input in the type of the first."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_pair import PAIR_CASES, Pair, PairCreator
from plugin_examples.faulty.bases.sound_scale import device_array, publish

BREAKS = "FMT-012"

PLUGIN_CASES = PAIR_CASES
TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)


class SecondReadAsTheFirst(Pair):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if here.format != trt.TensorFormat.LINEAR:
            return False
        return here.type in TYPES if pos < num_inputs else here.type == in_out[0].type

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            a, b = device_array(input_desc[0], inputs[0]), device_array(input_desc[0], inputs[1])
            total, difference = map(device_array, output_desc, outputs)
            scaled = b * b.dtype.type(self.factor)
            total[...] = a + scaled
            difference[...] = a - scaled


publish(SecondReadAsTheFirst, PairCreator)
