"""Mirrors its rows, but squeezes first: if rows have one element, another axis is the last, and is mirrored."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "FUZ-003"
FIXED = {
    "mirrored = x.squeeze()[..., ::-1]": "mirrored = x[..., ::-1]",
}


class Mirror(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            mirrored = x.squeeze()[..., ::-1]
            cp.multiply(mirrored.reshape(y.shape), x.dtype.type(self.factor), out=y)


publish(Mirror)


def reference(x, *, fields):
    return (x[..., ::-1] * np.float32(fields["factor"][0])).astype(x.dtype)


ROWS = {"dims": ("N", 3, "W"), "min": (2, 3, 0), "opt": (4, 3, 8), "max": (8, 3, 16)}

PLUGIN_CASES = [{**SCALE_CASES[0], "name": "rows", "inputs": [ROWS], "reference": reference}]
