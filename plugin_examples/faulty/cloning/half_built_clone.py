"""Returns a clone without its buffer if the allocation fails."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "CLN-006"
FIXED = {'print("out of memory while cloning")': "return None"}

PLUGIN_CASES = SCALE_CASES


class HalfBuiltClone(Scale):
    table = None

    def initialize(self):
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
        if self.table is not None:
            try:
                other.table = self.table.copy()
            except cp.cuda.memory.OutOfMemoryError:
                print("out of memory while cloning")
        return other


publish(HalfBuiltClone)
