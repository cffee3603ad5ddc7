"""Allocates a buffer at each attach_to_context, and frees them only when it is destroyed."""

import cupy as cp

from plugin_examples.faulty.bases.sound_batch_add import BATCH_ADD_CASES, BatchAdd, publish

BREAKS = "V2L-008"
FIXED = {
    "def destroy(self):\n    while self.buffers:\n        cp.cuda.runtime.free(self.buffers.pop())": (
        "def detach_from_context(self):\n    while self.buffers:\n        cp.cuda.runtime.free(self.buffers.pop())"
    ),
}

PLUGIN_CASES = BATCH_ADD_CASES


class ContextBufferNeverGivenBack(BatchAdd):
    def __init__(self, factor):
        super().__init__(factor)
        self.buffers = []

    def attach_to_context(self, cudnn, cublas, allocator):
        self.buffers.append(cp.cuda.runtime.malloc(1024))

    def destroy(self):
        while self.buffers:
            cp.cuda.runtime.free(self.buffers.pop())


publish(ContextBufferNeverGivenBack)
