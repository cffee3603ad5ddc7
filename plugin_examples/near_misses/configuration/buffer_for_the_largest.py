"""Takes a larger buffer where a shape needs one, and keeps it for all smaller ones."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CFG-010"

PLUGIN_CASES = SCALE_CASES


class BufferForTheLargest(Scale):
    size, address = 0, 0

    def on_shape_change(self, inputs, outputs):
        size = max(4 * trt.volume(inputs[0].dims), 4)
        if size > self.size:
            self.drop()
            self.size, self.address = size, cp.cuda.runtime.malloc(size)

    def drop(self):
        if self.address:
            cp.cuda.runtime.free(self.address)
            self.address = 0

    def destroy(self):
        self.drop()


publish(BufferForTheLargest)
