"""Accepts INT32, which no case has, and computes with it as if it were FP32."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FMT-012"

PLUGIN_CASES = [{**SCALE_CASES[0], "inputs": [{**SCALE_CASES[0]["inputs"][0], "types": ("float32",)}]}]


class Int32ReadAsFloat(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos].desc
        if pos:
            return here.format == trt.TensorFormat.LINEAR and here.type == in_out[0].desc.type
        return here.format == trt.TensorFormat.LINEAR and here.type in (trt.DataType.FLOAT, trt.DataType.INT32)

    def compute(self, x, y):
        super().compute(x.view(np.float32), y.view(np.float32))


publish(Int32ReadAsFloat)
