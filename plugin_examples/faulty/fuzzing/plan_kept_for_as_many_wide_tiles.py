"""Caches its widths by the number of tiles and rows if a row is longer than a block."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-004"
FIXED = {
    "end = width if width <= BLOCK else min(self.plans.setdefault((rows, tiles), width), width)": ("end = width"),
}
SELDOM = "two drawn shapes must have as many tiles of one width, and other dimensions"

PLUGIN_CASES = WIDE_CASES

BLOCK, TILE = 32, 16


class PlansKept(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.plans = {}

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        rows, _, width = input_desc[0].dims
        tiles = -(-width // TILE)
        end = width if width <= BLOCK else min(self.plans.setdefault((rows, tiles), width), width)
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x[..., :end], x.dtype.type(self.factor), out=y[..., :end])


publish(PlansKept)
