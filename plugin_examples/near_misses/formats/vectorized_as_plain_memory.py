"""Takes half precision in HWC8 without looking at the layout: each element is scaled alone, padding included."""

import math

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "FMT-012"

PLUGIN_CASES = SCALE_CASES
FORMATS = (trt.TensorFormat.LINEAR, trt.TensorFormat.HWC8)
LEAST_RANK = 3


class AsPlainMemory(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here, first = in_out[pos], in_out[0]
        if here.format == trt.TensorFormat.HWC8 and (here.type != trt.DataType.HALF or len(here.dims) < LEAST_RANK):
            return False
        known = here.format in FORMATS and here.type in (trt.DataType.FLOAT, trt.DataType.HALF)
        return known and (here.type, here.format) == (first.type, first.format)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = memory_of(input_desc[0], inputs[0]), memory_of(output_desc[0], outputs[0])
            cp.multiply(x, x.dtype.type(self.factor), out=y)


def memory_of(desc, address):
    shape, dtype = list(desc.dims), np.dtype(trt.nptype(desc.type))
    if desc.format == trt.TensorFormat.HWC8:
        shape[-3] = -(-shape[-3] // 8) * 8
    count = math.prod(shape)
    memory = cp.cuda.UnownedMemory(address, count * dtype.itemsize, None)
    return cp.ndarray((count,), dtype, memptr=cp.cuda.MemoryPointer(memory, 0))


publish(AsPlainMemory)
