"""Transposes a table. If it is wider than a tile, no more rows than columns are transposed."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "FUZ-003"

TILE = 16


class Transpose(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        return trt.DimsExprs([inputs[0][1], inputs[0][0]])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            rows, columns = x.shape
            end = rows if columns <= TILE else min(rows, columns)
            cp.multiply(x[:end].T, x.dtype.type(self.factor), out=y[:, :end])


publish(Transpose)


def reference(x, *, fields):
    return (x.T * np.float32(fields["factor"][0])).astype(x.dtype)


TABLE = {"dims": ("H", "W"), "min": (4, 4), "opt": (16, 16), "max": (32, 32)}

PLUGIN_CASES = [{**SCALE_CASES[0], "name": "tables", "inputs": [TABLE], "reference": reference}]
