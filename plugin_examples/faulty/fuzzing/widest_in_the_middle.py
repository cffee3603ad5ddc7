"""Returns the overlap of two windows: the smaller of width and 136 - width. No corner has the largest output."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, WIDE, Scale, device_array, publish

BREAKS = "FUZ-002"

BOTH = 136


class Shared(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        width = inputs[0][len(output) - 1]
        rest = expr_builder.operation(trt.DimensionOperation.SUB, expr_builder.constant(BOTH), width)
        output[len(output) - 1] = expr_builder.operation(trt.DimensionOperation.MIN, width, rest)
        return output

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x[..., : y.shape[-1]], x.dtype.type(self.factor), out=y)


publish(Shared)


def reference(x, *, fields):
    width = x.shape[-1]
    return (x[..., : min(width, BOTH - width)] * fields["factor"][0]).astype(x.dtype)


PLUGIN_CASES = [{**SCALE_CASES[0], "name": "wide", "inputs": [WIDE], "reference": reference}]
