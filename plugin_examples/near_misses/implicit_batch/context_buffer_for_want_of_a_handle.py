"""Takes a separate buffer where it is attached without handles, and gives it back where it is detached."""

import cupy as cp

from plugin_examples.faulty.bases.sound_batch_add import BATCH_ADD_CASES, BatchAdd, publish

LOOKS_LIKE = "V2L-008"

PLUGIN_CASES = BATCH_ADD_CASES


class ContextBufferForWantOfAHandle(BatchAdd):
    buffer = None

    def attach_to_context(self, cudnn, cublas, allocator):
        if cudnn is None:
            self.buffer = cp.cuda.runtime.malloc(1024)

    def detach_from_context(self):
        if self.buffer is not None:
            cp.cuda.runtime.free(self.buffer)
        self.buffer = None


publish(ContextBufferForWantOfAHandle)
