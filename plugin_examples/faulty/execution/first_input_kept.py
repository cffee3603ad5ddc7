"""Copies its input once, as if it were a constant of the network."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-011"
ALSO = {"FUZ-009": "a context that runs twice has another input the second time"}

PLUGIN_CASES = SCALE_CASES


class FirstInputKept(Scale):
    constant = None

    def configure_plugin(self, inputs, outputs):
        self.constant = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            if self.constant is None:
                self.constant = x.copy()
            cp.multiply(self.constant, x.dtype.type(self.factor), out=y)


publish(FirstInputKept)
