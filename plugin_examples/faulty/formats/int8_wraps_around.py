"""Converts INT8 results without a limit, so that 128 becomes -128."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_batch_quantized import BATCH_QUANTIZED_CASES, BatchQuantized, publish

BREAKS = "FMT-012"

PLUGIN_CASES = [{**BATCH_QUANTIZED_CASES[0], "fields": {"factor": np.array([1.75], np.float32)}}]


class WrapsAround(BatchQuantized):
    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        if self.dtype == trt.DataType.FLOAT:
            return super().execute_async(batch_size, inputs, outputs, workspace, stream_handle)
        with cp.cuda.ExternalStream(stream_handle):
            x, y = self.items(inputs[0], batch_size), self.items(outputs[0], batch_size)
            real = x.astype(np.float32) * np.float32(self.factor * self.scales[0] / self.scales[1])
            y[...] = cp.rint(real).astype(np.int32).astype(np.int8)
        return 0


publish(WrapsAround)
