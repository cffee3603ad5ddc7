"""Cuts five elements off an axis that may have fewer, and lets the dimension become negative."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "SHP-011"
FIXED = {
    "output[last] = expr_builder.operation(trt.DimensionOperation.SUB, inputs[0][last], cut)": (
        "rest = expr_builder.operation(trt.DimensionOperation.SUB, inputs[0][last], cut)\n"
        "output[last] = expr_builder.operation(trt.DimensionOperation.MAX, rest, "
        "expr_builder.constant(0))"
    ),
}

CUT = 5


def reference(x, *, fields):
    return (x[..., : max(x.shape[-1] - CUT, 0)] * np.float32(fields["factor"][0])).astype(x.dtype)


PLUGIN_CASES = [{**SCALE_CASES[0], "reference": reference}]


class CropBelowZero(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        cut = expr_builder.constant(CUT)
        output[last] = expr_builder.operation(trt.DimensionOperation.SUB, inputs[0][last], cut)
        return output

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(output_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            y[...] = x[..., : y.shape[-1]] * x.dtype.type(self.factor)


publish(CropBelowZero)
