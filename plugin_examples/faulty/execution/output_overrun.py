"""Rounds the number of elements up to a multiple of four, beyond the end of the output."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-006"
ALSO = {"ENQ-010": "the host device stops the first access beyond the end, so enqueue raises"}

PLUGIN_CASES = SCALE_CASES


class OutputOverrun(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        volume = trt.volume(input_desc[0].dims)
        if volume:
            dtype = np.dtype(trt.nptype(output_desc[0].type))
            rounded = -(-volume // 4) * 4
            memory = cp.cuda.UnownedMemory(outputs[0], rounded * dtype.itemsize, None)
            with cp.cuda.ExternalStream(stream):
                tail = cp.ndarray((rounded,), dtype, memptr=cp.cuda.MemoryPointer(memory, 0))[volume:]
                tail.fill(0)


publish(OutputOverrun)
