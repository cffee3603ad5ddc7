"""Writes INT8 and nothing else, in units of one: only its inputs are FLOAT."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "FMT-018"


def reference(x, *, fields):
    return np.clip(np.rint(x * fields["factor"][0]), -127, 127).astype(np.int8)


INPUT = {**SCALE_CASES[0]["inputs"][0], "types": ("float32",)}
PLUGIN_CASES = [{**SCALE_CASES[0], "inputs": [INPUT], "reference": reference}]


class RoundsToInt8(Scale):
    def get_output_data_types(self, input_types):
        return [trt.DataType.INT8]

    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos].desc
        return here.format == trt.TensorFormat.LINEAR and here.type == (trt.DataType.FLOAT, trt.DataType.INT8)[pos]

    def compute(self, x, y):
        y[...] = cp.clip(cp.rint(x * np.float32(self.factor)), -127, 127).astype(np.int8)


publish(RoundsToInt8)
