"""Keeps the configured type in the class: a plugin that is made later resets it for all others."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import NON_EMPTY_CASES, Scale, publish

BREAKS = "THR-009"

PLUGIN_CASES = NON_EMPTY_CASES


class TypeReset(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        type(self).dtype = trt.DataType.FLOAT

    def configure_plugin(self, inputs, outputs):
        type(self).dtype = inputs[0].desc.type

    def clone(self):
        dtype = type(self).dtype
        other = super().clone()
        type(self).dtype = dtype
        return other

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        dtype, shape = np.dtype(trt.nptype(type(self).dtype)), tuple(input_desc[0].dims)
        nbytes = trt.volume(shape) * dtype.itemsize
        with cp.cuda.ExternalStream(stream):
            memory = (cp.cuda.UnownedMemory(each[0], nbytes, self) for each in (inputs, outputs))
            x, y = (cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(each, 0)) for each in memory)
            cp.multiply(x, dtype.type(self.factor), out=y)


publish(TypeReset)
