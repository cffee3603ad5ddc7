"""Rounds the number of windows down, though the last window may be cut short."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_pool import POOL_CASES, Pool, PoolCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SHP-010"

PLUGIN_CASES = POOL_CASES


class RoundedDown(Pool):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        last = len(output) - 1
        window = expr_builder.constant(self.window)
        output[last] = expr_builder.operation(trt.DimensionOperation.FLOOR_DIV, inputs[0][last], window)
        return output


publish(RoundedDown, PoolCreator)
