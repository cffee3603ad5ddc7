"""Divides by one less than the batch, which may be one."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "SHP-012"
FIXED = {
    "others = expr_builder.operation(trt.DimensionOperation.SUB, batch, expr_builder.constant(1))": (
        "rest = expr_builder.operation(trt.DimensionOperation.SUB, batch, expr_builder.constant(1))\n"
        "others = expr_builder.operation(trt.DimensionOperation.MAX, rest, expr_builder.constant(1))"
    ),
}

PLUGIN_CASES = [{**SCALE_CASES[0], "inputs": [{**SCALE_CASES[0]["inputs"][0], "min": (1, 3, 1)}]}]


class DivisorBecomesZero(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        batch, last = inputs[0][0], len(output) - 1
        others = expr_builder.operation(trt.DimensionOperation.SUB, batch, expr_builder.constant(1))
        total = expr_builder.operation(trt.DimensionOperation.PROD, inputs[0][last], others)
        output[last] = expr_builder.operation(trt.DimensionOperation.FLOOR_DIV, total, others)
        return output


publish(DivisorBecomesZero)
