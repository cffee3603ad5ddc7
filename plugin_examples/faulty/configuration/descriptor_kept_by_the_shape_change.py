"""Keeps the descriptor from ``on_shape_change``, and reads the dimensions from it in ``enqueue``."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, device_array, publish

BREAKS = "CFG-015"

PLUGIN_CASES = SCALE_CASES


class KeptByTheShapeChange(Scale):
    current = None

    def on_shape_change(self, inputs, outputs):
        self.current = inputs[0]

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(self.current.dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            self.compute(device_array(self.current, inputs[0]), device_array(self.current, outputs[0]))


publish(KeptByTheShapeChange)
