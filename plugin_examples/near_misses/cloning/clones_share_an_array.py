"""Shares device memory with its clones without counting them: Python counts, since no memory is freed by hand."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

LOOKS_LIKE = "CLN-008"

PLUGIN_CASES = SCALE_CASES


class SharedArray(Scale):
    table = None

    def initialize(self):
        if self.table is None:
            self.table = cp.asarray(np.array([self.factor], np.float32))
            cp.cuda.runtime.streamSynchronize(0)

    def terminate(self):
        self.table = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            y[...] = x * self.table

    def clone(self):
        other = super().clone()
        other.table = self.table
        return other


publish(SharedArray)
