"""Caches the width by the number of tiles, though other widths have as many tiles."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "CFG-009"

PLUGIN_CASES = WIDE_CASES

TILE = 16


class PlansKept(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.plans = {}

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        width = input_desc[0].dims[-1]
        tiles = -(-width // TILE)
        end = min(self.plans.setdefault(tiles, width), width)
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x[..., :end], x.dtype.type(self.factor), out=y[..., :end])


publish(PlansKept)
