"""Keeps the shapes of its contexts in two slots, so that a third context shares a slot with the first."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FUZ-009"

PLUGIN_CASES = SCALE_CASES


class TwoSlots(Scale):
    slot = None

    def __init__(self, factor, *phase):
        super().__init__(factor, *phase)
        self.slots = [{}, {}]
        self.contexts = 0

    def attach_to_context(self, context):
        attached = self.clone()
        attached.slot = self.slots[self.contexts % 2]
        self.contexts += 1
        return attached

    def on_shape_change(self, inputs, outputs):
        if self.slot is not None:
            self.slot["width"] = inputs[0].dims[-1]

    def compute(self, x, y):
        width = x.shape[-1] if self.slot is None else self.slot["width"]
        cp.multiply(x[..., :width], x.dtype.type(self.factor), out=y[..., :width])


publish(TwoSlots)
