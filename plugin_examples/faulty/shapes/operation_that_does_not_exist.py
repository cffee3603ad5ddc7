"""Asks for a remainder, an operation that expressions do not have, to round the width up to a multiple."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pool import POOL_CASES, Pool, PoolCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-009"

PLUGIN_CASES = POOL_CASES

MODULO = trt.DimensionOperation(9)


class DoesNotExist(Pool):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        window = expr_builder.constant(self.window)
        output[last] = expr_builder.operation(MODULO, inputs[0][last], window)
        return output


publish(DoesNotExist, PoolCreator)
