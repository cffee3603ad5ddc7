"""Uploads its factor when it runs for the first time: that run does more than others, with every tactic."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

LOOKS_LIKE = "TAC-007"

PLUGIN_CASES = SCALE_CASES


class UploadedByTheFirstRun(TacticScale):
    weights = None

    def compute(self, x, y):
        if self.weights is None:
            self.weights = cp.full((1,), self.factor, cp.float32)
        if self.tactic == 1:
            cp.multiply(x, self.weights.astype(x.dtype), out=y)
            return
        for row in range(len(x)):
            cp.multiply(x[row], self.weights.astype(x.dtype), out=y[row])


publish(UploadedByTheFirstRun)
