"""Asks NumPy for the size of every offered type: there is no NumPy type for BF16, and ``nptype`` raises."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FMT-006"

PLUGIN_CASES = SCALE_CASES


class TypeAskedOfNumpy(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos].desc
        if np.dtype(trt.nptype(here.type)).kind != "f" or here.format != trt.TensorFormat.LINEAR:
            return False
        return pos == 0 or here.type == in_out[0].desc.type


publish(TypeAskedOfNumpy)
