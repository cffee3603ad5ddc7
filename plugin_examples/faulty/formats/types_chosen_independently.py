"""Lets each of four tensors have any type, in more mixtures than TensorRT looks at."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_pair import PAIR_CASES, Pair, PairCreator
from plugin_examples.faulty.bases.sound_scale import device_array, publish

BREAKS = "FMT-013"

PLUGIN_CASES = [{**PAIR_CASES[0], "inputs": [{**entry, "types": ("float32",)} for entry in PAIR_CASES[0]["inputs"]]}]

INPUTS = (trt.DataType.FLOAT, trt.DataType.HALF, trt.DataType.INT8, trt.DataType.INT32, trt.DataType.INT64)
OUTPUTS = (trt.DataType.FLOAT, trt.DataType.HALF, trt.DataType.BF16)


class ChosenIndependently(Pair):
    def supports_format_combination(self, pos, in_out, num_inputs):
        types = INPUTS if pos < num_inputs else OUTPUTS
        return in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type in types

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            a, b = map(device_array, input_desc, inputs)
            scaled = b.astype(np.float32) * np.float32(self.factor)
            for sign, desc, address in zip((1, -1), output_desc, outputs, strict=True):
                store(a + sign * scaled, desc, address)


def store(values, desc, address):
    if desc.type != trt.DataType.BF16:
        device_array(desc, address)[...] = values
        return
    memory = cp.cuda.UnownedMemory(address, 2 * trt.volume(desc.dims), None)
    bits = cp.ndarray(tuple(desc.dims), np.uint16, memptr=cp.cuda.MemoryPointer(memory, 0))
    bits[...] = (values.view(np.uint32) + np.uint32(0x8000)) >> np.uint32(16)


publish(ChosenIndependently, PairCreator)
