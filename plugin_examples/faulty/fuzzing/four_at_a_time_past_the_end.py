"""Stores four elements at a time where there are many, also the last time: some end up behind the output."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-003"

PLUGIN_CASES = WIDE_CASES

VECTOR = 4
MANY = 1500


class WholeVectors(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        volume, dtype = trt.volume(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))
        whole = -(-volume // VECTOR) * VECTOR if volume > MANY else volume
        with cp.cuda.ExternalStream(stream):
            x = device_array(input_desc[0], inputs[0])
            memory = cp.cuda.UnownedMemory(outputs[0], whole * dtype.itemsize, None)
            y = cp.ndarray((whole,), dtype, memptr=cp.cuda.MemoryPointer(memory, 0))
            cp.multiply(x.ravel(), dtype.type(self.factor), out=y[:volume])
            y[volume:] = 0


publish(WholeVectors)
