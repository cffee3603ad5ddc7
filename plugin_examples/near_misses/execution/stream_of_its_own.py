"""Works on a private stream, which waits for the given stream and is waited for by it."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "ENQ-003"

PLUGIN_CASES = SCALE_CASES


class StreamOfItsOwn(Scale):
    stream = None

    def initialize(self):
        self.stream = cp.cuda.Stream(non_blocking=True)
        self.begun, self.done = (cp.cuda.Event(disable_timing=True) for _ in range(2))

    def terminate(self):
        self.stream = None

    def clone(self):
        other = super().clone()
        if self.stream is not None:
            other.initialize()
        return other

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        given = cp.cuda.ExternalStream(stream)
        self.begun.record(given)
        self.stream.wait_event(self.begun)
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, self.stream.ptr)
        self.done.record(self.stream)
        given.wait_event(self.done)


publish(StreamOfItsOwn)
