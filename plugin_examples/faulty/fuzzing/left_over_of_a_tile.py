"""Returns what remains of a row cut in tiles of eight: little at multiples of eight, and much between them."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "FUZ-002"

TILE = 8


class LeftOver(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output, size = trt.DimsExprs(inputs[0]), expr_builder.constant(TILE)
        width = inputs[0][len(output) - 1]
        tiles = expr_builder.operation(trt.DimensionOperation.FLOOR_DIV, width, size)
        tiled = expr_builder.operation(trt.DimensionOperation.PROD, tiles, size)
        output[len(output) - 1] = expr_builder.operation(trt.DimensionOperation.SUB, width, tiled)
        return output

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(output_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x[..., x.shape[-1] - y.shape[-1] :], x.dtype.type(self.factor), out=y)


publish(LeftOver)


def reference(x, *, fields):
    width = x.shape[-1]
    return (x[..., width - width % TILE :] * fields["factor"][0]).astype(x.dtype)


ROWS = {"dims": ("N", 3, "W"), "min": (1, 3, 9), "opt": (4, 3, 35), "max": (16, 3, 117)}

PLUGIN_CASES = [{**SCALE_CASES[0], "name": "left-over", "inputs": [ROWS], "reference": reference}]
