"""Checks its factor when an engine is loaded, and not when it is built."""

import math

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "FUZ-013"

PLUGIN_CASES = SCALE_CASES


class LateCreator(ScaleCreator):
    def make(self, factor, phase):
        if phase == trt.TensorRTPhase.RUNTIME and not math.isfinite(factor):
            raise ValueError(f"a factor of {factor} cannot be used")
        return super().make(factor, phase)


publish(Scale, LateCreator)
