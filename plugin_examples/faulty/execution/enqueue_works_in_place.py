"""Multiplies the input in place and copies it to the output."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-004"

PLUGIN_CASES = SCALE_CASES


class EnqueueWorksInPlace(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            x *= x.dtype.type(self.factor)
            cp.copyto(y, x)


publish(EnqueueWorksInPlace)
