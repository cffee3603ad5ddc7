"""Multiplies FP16 two at a time: the last element of an odd number is left out."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-006"

PLUGIN_CASES = [
    {**WIDE_CASES[0], "inputs": [{**WIDE_CASES[0]["inputs"][0], "types": ("float32", "float16")}]},
]


class HalfPairs(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        elements = trt.volume(input_desc[0].dims)
        if input_desc[0].type == trt.DataType.HALF:
            elements = elements // 2 * 2
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x.ravel()[:elements], x.dtype.type(self.factor), out=y.ravel()[:elements])


publish(HalfPairs)
