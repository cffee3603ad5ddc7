"""Shares one scratch pad between all objects behind a lock, and lets each stream wait for its last user."""

import threading

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

LOOKS_LIKE = "FUZ-010"

PLUGIN_CASES = SCALE_CASES


class SharedScratch(Scale):
    turn = threading.Lock()
    pads, used = {}, {}

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with self.turn, cp.cuda.ExternalStream(stream) as mine:
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            if x.dtype not in self.pads:
                self.pads[x.dtype], self.used[x.dtype] = cp.empty(1 << 15, x.dtype), cp.cuda.Event()
            pad = self.pads[x.dtype][: x.size]
            mine.wait_event(self.used[x.dtype])
            cp.multiply(x.ravel(), x.dtype.type(self.factor), out=pad)
            y.ravel()[...] = pad
            mine.record(self.used[x.dtype])


publish(SharedScratch)
