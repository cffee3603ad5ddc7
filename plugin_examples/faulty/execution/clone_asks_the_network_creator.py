"""Takes the factor of clones from the creator, which knows it of the network's plugins alone."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "ENQ-021"

PLUGIN_CASES = SCALE_CASES


class CloneAsksTheCreator(Scale):
    known = None

    def clone(self):
        other = type(self)(self.known.get(self.factor, 1.0), self.phase)
        other.known = self.known
        return self.copy_identity_to(other)


class KnowingCreator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.known = {}

    def make(self, factor, phase):
        plugin = super().make(factor, phase)
        if phase == trt.TensorRTPhase.BUILD:
            self.known[factor] = factor
        plugin.known = self.known
        return plugin


publish(CloneAsksTheCreator, KnowingCreator)
