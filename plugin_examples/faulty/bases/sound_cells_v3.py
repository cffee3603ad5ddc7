"""A sound IPluginV3 with a shape input for witnesses to build upon: a grid of cells filled with its input.

The shape input is a 2x3 tensor: the number of cells along each axis, and the size of a cell. It
registers nothing when it is imported.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import Scale, device_array

RANK = 3


class Cells(Scale):
    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        self.check(inputs, shape_inputs)
        return [trt.DimsExprs([self.extent(axis, shape_inputs, expr_builder) for axis in range(RANK)])]

    def check(self, inputs, shape_inputs):
        if len(shape_inputs) != 1 or len(shape_inputs[0]) != 2 * RANK or len(inputs[0]) != RANK:
            raise ValueError(f"wanted are an input of rank {RANK} and a 2x{RANK} tensor: cells, and their dimensions")

    def extent(self, axis, shape_inputs, expr_builder):
        cells, size = shape_inputs[0][axis], shape_inputs[0][RANK + axis]
        return expr_builder.operation(trt.DimensionOperation.PROD, cells, size)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(output_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            i, j, k = (cp.arange(wanted) % given for wanted, given in zip(y.shape, x.shape, strict=True))
            self.compute(x[i[:, None, None], j[None, :, None], k[None, None, :]], y)


def reference(x, grid, *, fields):
    places = (np.arange(cells * size) % given for cells, size, given in zip(*grid, x.shape, strict=True))
    return (x[np.ix_(*places)] * np.float32(fields["factor"][0])).astype(x.dtype)


CELLS_CASES = [
    {
        "plugin": "Scale",
        "name": "grid",
        "fields": {"factor": np.array([1.5], np.float32)},
        "inputs": [
            {"dims": ("N", 3, "W"), "min": (1, 3, 1), "opt": (2, 3, 5), "max": (4, 3, 9)},
            {
                "shape_input": True,
                "types": "int32",
                "dims": (2, 3),
                "min": (1, 1, 1, 1, 1, 1),
                "opt": (2, 1, 3, 1, 5, 2),
                "max": (4, 3, 5, 2, 6, 3),
            },
        ],
        "reference": reference,
    }
]
