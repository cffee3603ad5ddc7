"""Is completed by its creator alone, so that clones have no factor to multiply by."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CLN-016"
ALSO = {"CLN-002": "a clone without its factor lacks a parameter of its source"}

PLUGIN_CASES = SCALE_CASES


class CompletedByCreator(Scale):
    step = 0.0

    def copy_identity_to(self, other):
        other.step = self.step if self.phase == trt.TensorRTPhase.RUNTIME else 0.0
        return super().copy_identity_to(other)

    def attach_to_context(self, context):
        attached = self.clone()
        attached.step = self.step
        return attached

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(self.step), out=y)


class CompletingCreator(ScaleCreator):
    def make(self, factor, phase):
        plugin = super().make(factor, phase)
        plugin.step = factor
        return plugin


publish(CompletedByCreator, CompletingCreator)
