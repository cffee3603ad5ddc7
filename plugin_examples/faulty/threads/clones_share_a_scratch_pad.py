"""Keeps the product in a scratch pad that it shares with its clones, and copies it from there."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "THR-003"

PLUGIN_CASES = SCALE_CASES


class ClonesShareAScratchPad(Scale):
    def __init__(self, factor, scratch=None):
        super().__init__(factor)
        self.scratch = {} if scratch is None else scratch

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            self.scratch["product"] = x * x.dtype.type(self.factor)
            y[...] = self.scratch["product"]
            self.scratch.clear()

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.scratch))


publish(ClonesShareAScratchPad)
