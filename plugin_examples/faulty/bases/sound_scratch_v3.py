"""A sound IPluginV3 with workspace for witnesses to build upon: ``y = factor * x`` by way of scratch memory.

It registers nothing when it is imported.
"""

import math

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import Scale, device_array


class ScratchScale(Scale):
    def get_workspace_size(self, inputs, outputs):
        return 4 * math.prod(inputs[0].max)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape = tuple(input_desc[0].dims)
        if trt.volume(shape) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            memory = cp.cuda.UnownedMemory(workspace, 4 * trt.volume(shape), self)
            scratch = cp.ndarray(shape, np.dtype(np.float32), memptr=cp.cuda.MemoryPointer(memory, 0))
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            scratch[...] = x
            self.compute(scratch, scratch)
            y[...] = scratch
