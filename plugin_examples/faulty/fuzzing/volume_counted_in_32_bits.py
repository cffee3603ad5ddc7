"""Adds up blocks of 1024 elements; their number is worked out with 32-bit integers where the shape is known."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-011"

BLOCK = 1024


class BlockSums(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        extents = list(inputs[0])
        if all(extent.is_constant() for extent in extents):
            volume = np.prod([extent.get_constant_value() for extent in extents], dtype=np.int32)
            return trt.DimsExprs([expr_builder.constant(int(-(-volume // BLOCK)))])
        elements = expr_builder.constant(1)
        for extent in extents:
            elements = expr_builder.operation(trt.DimensionOperation.PROD, elements, extent)
        blocks = expr_builder.operation(trt.DimensionOperation.CEIL_DIV, elements, expr_builder.constant(BLOCK))
        return trt.DimsExprs([blocks])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            padded = cp.zeros(y.size * BLOCK, x.dtype)
            padded[: x.size] = x.ravel() * x.dtype.type(self.factor)
            y[...] = padded.reshape(-1, BLOCK).max(axis=1)


publish(BlockSums)


def reference(x, *, fields):
    padded = np.pad(x.ravel() * x.dtype.type(fields["factor"][0]), (0, -x.size % BLOCK))
    return padded.reshape(-1, BLOCK).max(axis=1).astype(x.dtype)


PLUGIN_CASES = [{**WIDE_CASES[0], "reference": reference}]
