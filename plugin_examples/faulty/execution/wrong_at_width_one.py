"""Forgets the factor if the width is one."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import NON_EMPTY_CASES, Scale, device_array, publish

BREAKS = "ENQ-010"

PLUGIN_CASES = NON_EMPTY_CASES


class WrongAtWidthOne(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x, x.dtype.type(1 if x.shape[-1] == 1 else self.factor), out=y)


publish(WrongAtWidthOne)
