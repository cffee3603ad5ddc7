"""Resets the tactic to the first at each query of its RUNTIME capability."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "CAP-007"

PLUGIN_CASES = SCALE_CASES


class AskedBeginsAgain(TacticScale):
    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        if type == trt.PluginCapabilityType.RUNTIME:
            self.tactic = 1
        return self


publish(AskedBeginsAgain)
