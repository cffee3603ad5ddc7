"""Makes a table of any tensor by counting its rows. If they are symbols, a vector has a row for each element."""

import math

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FUZ-011"


class Table(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        *_, width = extents = list(inputs[0])
        if all(extent.is_constant() for extent in extents):
            rows = expr_builder.constant(math.prod(extent.get_constant_value() for extent in extents[:-1]))
        else:
            rows = extents[0]
            for extent in extents[1:-1]:
                rows = expr_builder.operation(trt.DimensionOperation.PROD, rows, extent)
        return trt.DimsExprs([rows, width])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, input_desc, inputs, outputs, workspace, stream)


publish(Table)


def reference(x, *, fields):
    return (x * fields["factor"][0]).astype(x.dtype).reshape(-1, x.shape[-1])


PLUGIN_CASES = [{**SCALE_CASES[0], "reference": reference}]
