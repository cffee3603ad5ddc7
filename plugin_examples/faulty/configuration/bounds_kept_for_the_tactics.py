"""Keeps the bounds of the build, and takes the type from them when it is asked for its tactics."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "CFG-015"

PLUGIN_CASES = SCALE_CASES


class KeepsBounds(TacticScale):
    configured = None

    def configure_plugin(self, inputs, outputs):
        self.configured = inputs[0]

    def get_valid_tactics(self):
        return [1] if self.configured.desc.type == trt.DataType.HALF else [1, 2]

    def copy_identity_to(self, other):
        other.configured = self.configured
        return super().copy_identity_to(other)


publish(KeepsBounds)
