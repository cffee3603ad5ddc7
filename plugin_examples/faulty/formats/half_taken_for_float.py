"""Accepts half precision, and computes with the data as single precision: twice as many bytes as there are."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-012"

PLUGIN_CASES = SCALE_CASES


class HalfTakenForFloat(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = floats(input_desc[0], inputs[0]), floats(output_desc[0], outputs[0])
            cp.multiply(x, x.dtype.type(self.factor), out=y)


def floats(desc, address):
    count = trt.volume(desc.dims)
    memory = cp.cuda.UnownedMemory(address, count * 4, None)
    return cp.ndarray((count,), np.dtype(np.float32), memptr=cp.cuda.MemoryPointer(memory, 0))


publish(HalfTakenForFloat)
