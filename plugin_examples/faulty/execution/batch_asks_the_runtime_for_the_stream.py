"""Asks the CUDA runtime in each execution whether the stream is idle, which a captured stream does not allow."""

import cupy as cp

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

BREAKS = "ENQ-014"

PLUGIN_CASES = BATCH_SCALE_CASES


class BatchAsksTheRuntime(BatchScale):
    was_idle = False

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        self.was_idle = cp.cuda.runtime.streamQuery(stream_handle) == 0
        return super().execute_async(batch_size, inputs, outputs, workspace, stream_handle)


publish(BatchAsksTheRuntime)
