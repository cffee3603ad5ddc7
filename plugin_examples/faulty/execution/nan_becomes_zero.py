"""Replaces NaN by zero, so that an error in the network stays hidden."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-022"

PLUGIN_CASES = SCALE_CASES


class NanBecomesZero(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(cp.nan_to_num(x), x.dtype.type(self.factor), out=y)


publish(NanBecomesZero)
