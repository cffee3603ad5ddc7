"""Adds an FP16 tensor to an FP32 tensor eight elements at a time, up to the last whole eight."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_pair import PAIR_CASES, Pair, PairCreator
from plugin_examples.faulty.bases.sound_scale import device_array, publish

BREAKS = "FUZ-006"

ROWS = {"dims": ("N", "W"), "min": (8, 4), "opt": (16, 8), "max": (32, 16), "types": ("float32", "float16")}
PLUGIN_CASES = [{**PAIR_CASES[0], "name": "rows", "inputs": [ROWS, ROWS]}]
TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
VECTOR = 8


class VectorsOfEight(Pair):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if here.format != trt.TensorFormat.LINEAR:
            return False
        return here.type in TYPES if pos < num_inputs else here.type == in_out[0].type

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            a, b = (device_array(*each).ravel() for each in zip(input_desc, inputs, strict=True))
            scaled = b * b.dtype.type(self.factor)
            if (a.dtype, b.dtype) == ("float32", "float16"):
                scaled[len(scaled) // VECTOR * VECTOR :] = 0
            for sign, desc, address in zip((1, -1), output_desc, outputs, strict=True):
                device_array(desc, address).ravel()[...] = a + sign * scaled


publish(VectorsOfEight, PairCreator)
