"""Asks NumPy for each type that it is offered, and takes the TypeError for a no."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "FMT-006"

PLUGIN_CASES = SCALE_CASES


def is_computed(dtype):
    try:
        return np.dtype(trt.nptype(dtype)).kind == "f"
    except TypeError:
        return False


class WithoutANumpyName(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        return here.format == trt.TensorFormat.LINEAR and is_computed(here.type) and here.type == in_out[0].type


publish(WithoutANumpyName)
