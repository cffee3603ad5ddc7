"""Requantizes with the scale of the input, as if the output had the same."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_batch_quantized import BATCH_QUANTIZED_CASES, BatchQuantized, publish

BREAKS = "FMT-012"

PLUGIN_CASES = BATCH_QUANTIZED_CASES


class OutputScaleTakenForTheInputs(BatchQuantized):
    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        if self.dtype == trt.DataType.FLOAT:
            return super().execute_async(batch_size, inputs, outputs, workspace, stream_handle)
        with cp.cuda.ExternalStream(stream_handle):
            x, y = self.items(inputs[0], batch_size), self.items(outputs[0], batch_size)
            real = x.astype(np.float32) * np.float32(self.factor)
            y[...] = cp.clip(cp.rint(real), -128, 127).astype(np.int8)
        return 0


publish(OutputScaleTakenForTheInputs)
