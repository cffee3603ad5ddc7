"""Accepts FP16, which its case does not have, and computes with the bits as integers."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "FMT-012"

PLUGIN_CASES = [{**SCALE_CASES[0], "inputs": [{**SCALE_CASES[0]["inputs"][0], "types": ("float32",)}]}]


class HalfTakenForIntegers(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            if x.dtype == np.float16:
                x, y = x.view(np.int16), y.view(np.int16)
            cp.multiply(x, x.dtype.type(self.factor), out=y)


publish(HalfTakenForIntegers)
