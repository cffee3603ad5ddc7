"""Pads each row by a number in a shape input. If it is known early, 0 means the usual padding by one."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, device_array, publish

BREAKS = "FUZ-001"

USUAL = 1


class Padded(Scale):
    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        if len(shape_inputs) != 1 or len(shape_inputs[0]) != 1:
            raise ValueError("wanted is one shape input with one value: by how much to pad")
        output, amount = trt.DimsExprs(inputs[0]), shape_inputs[0][0]
        if amount.is_constant():
            amount = expr_builder.constant(amount.get_constant_value() or USUAL)
        output[-1] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][-1], amount)
        return [output]

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            width = min(x.shape[-1], y.shape[-1])
            y[...] = 0
            self.compute(x[..., :width], y[..., :width])


publish(Padded)


def reference(x, amount, *, fields):
    padded = np.pad(x, [(0, 0), (0, 0), (0, max(amount[0], 0))])[..., : x.shape[-1] + amount[0]]
    return (padded * np.float32(fields["factor"][0])).astype(x.dtype)


PLUGIN_CASES = [
    {
        **SCALE_CASES[0],
        "name": "rows",
        "inputs": [
            {"dims": ("N", 3, "W"), "min": (1, 3, 8), "opt": (4, 3, 16), "max": (8, 3, 32)},
            {"shape_input": True, "types": "int32", "dims": (1,), "min": (-4,), "opt": (4,), "max": (6,)},
        ],
        "reference": reference,
    }
]
