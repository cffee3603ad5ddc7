"""Multiplies by the scale of the descriptor, which means nothing for FP32 and FP16."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-016"

PLUGIN_CASES = SCALE_CASES


class ScaleReadForFloat(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            scale = input_desc[0].scale / output_desc[0].scale if input_desc[0].scale else 1
            y[...] = x * x.dtype.type(self.factor * scale)


publish(ScaleReadForFloat)
