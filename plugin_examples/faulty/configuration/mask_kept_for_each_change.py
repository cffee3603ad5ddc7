"""Keeps a mask in device memory for each change of shape, and frees them when it is destroyed."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-008"

PLUGIN_CASES = SCALE_CASES


class MaskKeptForEachChange(Scale):
    last = None

    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.masks = []

    def on_shape_change(self, inputs, outputs):
        shape = tuple(inputs[0].dims)
        if shape != self.last:
            self.last = shape
            self.masks.append(cp.zeros(shape, bool))


publish(MaskKeptForEachChange)
