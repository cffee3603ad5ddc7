"""Computes its dimension from the size tensor: one more, for an end mark."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-020"
FIXED = {
    "return trt.DimsExprs([expr_builder.operation(trt.DimensionOperation.SUM, count, one)])": (
        "return trt.DimsExprs([count])  # enqueue counts the end mark, too"
    ),
}


def reference(x, *, fields):
    found = np.flatnonzero(x).astype(np.int32)
    return np.append(found, np.int32(-1)), np.int32(len(found))


PLUGIN_CASES = [{**PLACES_CASES[0], "reference": reference}]


class OneMore(Places):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        with cp.cuda.ExternalStream(stream):
            room = trt.volume(input_desc[0].dims) + 1
            places = self.integers(outputs[0], room)
            end = cp.minimum(self.integers(outputs[1], 1), room - 1)
            places[end] = -1

    def places_shape(self, volume, expr_builder):
        one = expr_builder.constant(1)
        count = expr_builder.declare_size_tensor(1, volume, volume)
        return trt.DimsExprs([expr_builder.operation(trt.DimensionOperation.SUM, count, one)])


publish(OneMore)
