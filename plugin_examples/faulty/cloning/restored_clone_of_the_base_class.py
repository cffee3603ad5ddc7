"""Is of a class for builds, and makes clones of the base class where it is made for an engine."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CLN-011"

PLUGIN_CASES = SCALE_CASES


class Tracing(Scale):
    runs = 0

    def compute(self, x, y):
        super().compute(x, y)
        self.runs += 1

    def clone(self):
        if self.phase == trt.TensorRTPhase.BUILD:
            return super().clone()
        return self.copy_identity_to(Scale(self.factor, self.phase))


publish(Tracing)
