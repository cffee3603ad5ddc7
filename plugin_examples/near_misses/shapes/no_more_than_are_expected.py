"""Declares half of the elements as the bound, and stops looking when it has found so many."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import device_array, publish

LOOKS_LIKE = "SHP-018"


def half(volume):
    return (volume + 1) // 2


def reference(x, *, fields):
    found = np.flatnonzero(x).astype(np.int32)[: half(x.size)]
    return found, np.int32(len(found))


PLUGIN_CASES = [{**PLACES_CASES[0], "reference": reference}]


class NoMoreThanExpected(Places):
    def places_shape(self, volume, expr_builder):
        bound = expr_builder.operation(trt.DimensionOperation.CEIL_DIV, volume, expr_builder.constant(2))
        return trt.DimsExprs([expr_builder.declare_size_tensor(1, bound, bound)])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            count = self.integers(outputs[1], 1)
            count.fill(0)
            if trt.volume(input_desc[0].dims) == 0:
                return
            x = device_array(input_desc[0], inputs[0]).ravel()
            room, found = half(x.size), x != 0
            # Those found come first and the others behind; what lies beyond the bound is cut off before it is written.
            places = cp.where(found, cp.cumsum(found), found.sum() + cp.cumsum(~found)) - 1
            ordered = cp.empty(x.size, np.int32)
            ordered[places] = cp.arange(x.size)
            self.integers(outputs[0], room)[...] = ordered[:room]
            count[0] = cp.minimum(found.sum(), room)


publish(NoMoreThanExpected)
