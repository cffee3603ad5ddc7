"""Rounds the number of groups half up. If the width is a constant, it rounds half to even, as Python does."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, WIDE, Scale, device_array, publish

BREAKS = "FUZ-001"
FIXED = {"count = round(known / GROUP)": "count = (known + GROUP // 2) // GROUP"}

GROUP = 8


class Groups(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        width = inputs[0][len(output) - 1]
        if width.is_constant():
            known = width.get_constant_value()
            count = round(known / GROUP)
            groups = expr_builder.constant(count)
        else:
            size = expr_builder.constant(GROUP)
            half_more = expr_builder.operation(trt.DimensionOperation.SUM, width, expr_builder.constant(GROUP // 2))
            groups = expr_builder.operation(trt.DimensionOperation.FLOOR_DIV, half_more, size)
        output[len(output) - 1] = groups
        return output

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            y[...] = x[..., ::GROUP][..., : y.shape[-1]] * x.dtype.type(self.factor)


publish(Groups)


def reference(x, *, fields):
    groups = (x.shape[-1] + GROUP // 2) // GROUP
    return (x[..., ::GROUP][..., :groups] * fields["factor"][0]).astype(x.dtype)


PLUGIN_CASES = [{**SCALE_CASES[0], "name": "wide", "inputs": [WIDE], "reference": reference}]
