"""Uses a private side stream, and forgets to let it wait, for more than eight elements."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-003"

PLUGIN_CASES = SCALE_CASES


LARGE = 8


class EnqueueIgnoresTheStreamForLargeInputs(Scale):
    def initialize(self):
        self.stream = cp.cuda.Stream(non_blocking=True)

    def terminate(self):
        self.stream = None

    def clone(self):
        copy = super().clone()
        copy.initialize()
        return copy

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) > LARGE:
            stream = self.stream.ptr
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(EnqueueIgnoresTheStreamForLargeInputs)
