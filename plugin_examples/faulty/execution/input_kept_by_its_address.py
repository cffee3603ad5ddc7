"""Keeps a copy of each input by its address and shape, and computes with this copy the next time."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-007"

PLUGIN_CASES = SCALE_CASES[:1]


class InputKeptByItsAddress(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.copies = {}

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        key = inputs[0], tuple(input_desc[0].dims), input_desc[0].type
        with cp.cuda.ExternalStream(stream):
            if key not in self.copies:
                self.copies[key] = device_array(input_desc[0], inputs[0]).copy()
            self.compute(self.copies[key], device_array(output_desc[0], outputs[0]))


publish(InputKeptByItsAddress)
