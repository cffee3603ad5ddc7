"""Returns 0 from initialize, which is documented as success for its interface."""

import cupy as cp

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

LOOKS_LIKE = "INI-001"

PLUGIN_CASES = BATCH_SCALE_CASES


class ZeroReturnedByInitialize(BatchScale):
    buffer = None

    def initialize(self):
        try:
            self.buffer = cp.cuda.runtime.malloc(1024)
        except cp.cuda.runtime.CUDARuntimeError:
            return 1
        return 0

    def terminate(self):
        if self.buffer is not None:
            cp.cuda.runtime.free(self.buffer)
        self.buffer = None


publish(ZeroReturnedByInitialize)
