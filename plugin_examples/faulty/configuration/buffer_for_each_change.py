"""Frees its buffer and allocates another buffer with every change of shape, back and forth."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-010"

PLUGIN_CASES = SCALE_CASES


class BufferForEachChange(Scale):
    shape, address = None, 0

    def on_shape_change(self, inputs, outputs):
        shape = tuple(inputs[0].dims)
        if shape != self.shape:
            self.drop()
            self.shape, self.address = shape, cp.cuda.runtime.malloc(max(4 * trt.volume(shape), 4))

    def drop(self):
        if self.address:
            cp.cuda.runtime.free(self.address)
            self.address = 0

    def destroy(self):
        self.drop()


publish(BufferForEachChange)
