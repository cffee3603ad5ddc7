"""Clones share the BUILD object, which does not change in use and refers to all of its plugins."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import SplitScale

LOOKS_LIKE = "CAP-006"

PLUGIN_CASES = SCALE_CASES


class SharedBuild(SplitScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.build.plugins = [self]

    def clone(self):
        other = super().clone()
        other.build = self.build
        if self.phase == trt.TensorRTPhase.BUILD:  # an engine does without this object, and contexts come and go
            other.build.plugins.append(other)
        return other


publish(SharedBuild)
