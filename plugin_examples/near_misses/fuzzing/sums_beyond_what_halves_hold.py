"""Adds up rows. An FP16 output cannot hold the sums of wide rows: they are infinite, as they must be."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, WIDE, Scale, device_array, publish

LOOKS_LIKE = "FUZ-006"

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)


class RowSums(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        output[len(output) - 1] = expr_builder.constant(1)
        return output

    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos]
        return here.format == trt.TensorFormat.LINEAR and here.type in TYPES

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            y[...] = x.astype(cp.float32).sum(axis=-1, keepdims=True) * np.float32(self.factor)


publish(RowSums)


def reference(x, *, fields):
    return x.astype(np.float32).sum(axis=-1, keepdims=True) * fields["factor"][0]


PLUGIN_CASES = [
    {
        **SCALE_CASES[0],
        "name": "wide",
        "inputs": [{**WIDE, "types": ("float32", "float16"), "values": (1000, 1100)}],
        "reference": reference,
    }
]
