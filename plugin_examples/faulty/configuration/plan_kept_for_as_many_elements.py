"""Caches the number of rows by the number of elements, though other shapes have as many elements."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "CFG-009"


class PlansKept(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.plans = {}

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        dims = input_desc[0].dims
        rows, width = self.plans.setdefault(trt.volume(dims), (dims[0], dims[1]))
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            mirrored = x.reshape(rows, width)[:, ::-1]
            cp.multiply(mirrored.reshape(y.shape), x.dtype.type(self.factor), out=y)


publish(PlansKept)


def reference(x, *, fields):
    return (x[:, ::-1] * np.float32(fields["factor"][0])).astype(x.dtype)


ROWS = {"dims": ("N", "W"), "min": (1, 1), "opt": (2, 3), "max": (4, 4)}

PLUGIN_CASES = [{**SCALE_CASES[0], "name": "rows", "inputs": [ROWS], "reference": reference}]
