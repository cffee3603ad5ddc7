"""Takes the first width that a context of the engine ran for the limit of all later contexts."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "FUZ-009"

PLUGIN_CASES = SCALE_CASES


class LimitedLater(Scale):
    limit = None

    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD):
        super().__init__(factor, phase)
        self.learned = {}

    def attach_to_context(self, context):
        attached = self.clone()
        if self.phase == trt.TensorRTPhase.RUNTIME:
            attached.learned, attached.limit = self.learned, self.learned.get("width")
        return attached

    def compute(self, x, y):
        self.learned.setdefault("width", x.shape[-1])
        cp.multiply(x[..., : self.limit], x.dtype.type(self.factor), out=y[..., : self.limit])


publish(LimitedLater)
