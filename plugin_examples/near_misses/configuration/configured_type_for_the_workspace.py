"""Remembers the type that it was configured for, for its workspace alone; enqueue reads the descriptors."""

import math

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch_v3 import ScratchScale

LOOKS_LIKE = "CFG-007"

PLUGIN_CASES = SCALE_CASES


class ConfiguredTypeForTheWorkspace(ScratchScale):
    configured_for = None

    def configure_plugin(self, inputs, outputs):
        self.configured_for = inputs[0].desc.type

    def get_workspace_size(self, inputs, outputs):
        spare = 64 if self.configured_for == trt.DataType.HALF else 0
        return 4 * math.prod(inputs[0].max) + spare

    def copy_identity_to(self, other):
        other.configured_for = self.configured_for
        return super().copy_identity_to(other)


publish(ConfiguredTypeForTheWorkspace)
