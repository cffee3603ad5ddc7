"""Keeps its intermediate results in one array of the object, which all contexts of the engine share."""

import cupy as cp

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

BREAKS = "THR-002"

PLUGIN_CASES = BATCH_SCALE_CASES


class ScratchOfTheEngine(BatchScale):
    scratch = None

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        with cp.cuda.ExternalStream(stream_handle):
            x = self.items(inputs[0], batch_size)
            self.scratch = x.copy()
            cp.multiply(self.scratch, x.dtype.type(self.factor), out=self.items(outputs[0], batch_size))
            self.scratch = None
        return 0


publish(ScratchOfTheEngine)
