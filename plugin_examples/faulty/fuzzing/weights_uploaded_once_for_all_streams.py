"""Uploads its factor with the first run of all. Other contexts use it at once, on streams that do not wait."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FUZ-009"

PLUGIN_CASES = SCALE_CASES


class UploadedOnce(Scale):
    def __init__(self, factor, *phase):
        super().__init__(factor, *phase)
        self.weights = []

    def attach_to_context(self, context):
        attached = self.clone()
        attached.weights = self.weights
        return attached

    def compute(self, x, y):
        if not self.weights:
            self.weights.append(cp.full((1,), self.factor, cp.float32))
        cp.multiply(x, self.weights[0].astype(x.dtype), out=y)


publish(UploadedOnce)
