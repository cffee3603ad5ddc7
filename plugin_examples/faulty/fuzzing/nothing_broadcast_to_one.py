"""Multiplies two inputs with equal rows, or one row in either. If the other has no row, the output has one row."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "FUZ-003"

INPUTS = 2


class Product(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        if len(inputs) != INPUTS:
            raise ValueError(f"wanted are {INPUTS} inputs, not {len(inputs)}")
        rows = expr_builder.operation(trt.DimensionOperation.MAX, inputs[0][0], inputs[1][0])
        return trt.DimsExprs([rows, inputs[0][1]])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if any(trt.volume(desc.dims) == 0 for desc in input_desc):
            return
        with cp.cuda.ExternalStream(stream):
            a, b = (device_array(desc, address) for desc, address in zip(input_desc, inputs, strict=True))
            cp.multiply(a, b * b.dtype.type(self.factor), out=device_array(output_desc[0], outputs[0]))


publish(Product)


def reference(a, b, *, fields):
    return (a * (b * b.dtype.type(fields["factor"][0]))).astype(a.dtype)


def is_broadcast(a, b, *, fields):
    return a[0] == b[0] or 1 in (a[0], b[0])


ROWS = {"min": (0, 4), "opt": (4, 4), "max": (6, 4)}

PLUGIN_CASES = [
    {**SCALE_CASES[0], "name": "rows", "inputs": [ROWS, ROWS], "valid": is_broadcast, "reference": reference}
]
