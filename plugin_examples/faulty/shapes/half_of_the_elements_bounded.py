"""Bounds the size by half of the elements. If more are found, enqueue leaves the output without a size."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import device_array, publish

BREAKS = "SHP-018"

PLUGIN_CASES = PLACES_CASES


class BoundedByHalf(Places):
    def places_shape(self, volume, expr_builder):
        half = expr_builder.operation(trt.DimensionOperation.FLOOR_DIV, volume, expr_builder.constant(2))
        return trt.DimsExprs([expr_builder.declare_size_tensor(1, half, half)])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            found = device_array(input_desc[0], inputs[0]).ravel() != 0
            places = cp.where(found, cp.cumsum(found), found.sum() + cp.cumsum(~found)) - 1
            self.integers(outputs[0], found.size)[places] = cp.arange(found.size)
            self.write_count(self.integers(outputs[1], 1), found)


publish(BoundedByHalf)
