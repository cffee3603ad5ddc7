"""Makes another mask in device memory for each shape that is not the last shape, and keeps them all."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CFG-001"

PLUGIN_CASES = SCALE_CASES


class MasksOfTheBuildKept(Scale):
    last = None

    def __init__(self, factor):
        super().__init__(factor)
        self.masks = []

    def configure_plugin(self, inputs, outputs):
        shape = tuple(inputs[0].desc.dims)
        if shape != self.last:
            self.last = shape
            self.masks.append(cp.zeros(1, bool))


publish(MasksOfTheBuildKept)
