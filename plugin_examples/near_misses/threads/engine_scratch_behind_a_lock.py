"""Keeps its intermediate results in an array of the object that all contexts share, and locks it while it runs."""

import threading

import cupy as cp

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

LOOKS_LIKE = "THR-002"

PLUGIN_CASES = BATCH_SCALE_CASES


class EngineScratchBehindALock(BatchScale):
    def __init__(self, factor):
        super().__init__(factor)
        self.lock, self.scratch = threading.Lock(), None

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        with self.lock, cp.cuda.ExternalStream(stream_handle):
            x = self.items(inputs[0], batch_size)
            self.scratch = x.copy()
            cp.multiply(self.scratch, x.dtype.type(self.factor), out=self.items(outputs[0], batch_size))
            self.scratch = None
        return 0


publish(EngineScratchBehindALock)
