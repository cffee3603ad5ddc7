"""Takes a second query for the BUILD capability, and each later query, for the beginning of another build."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tactics_v3 import TacticScale

BREAKS = "CAP-007"

PLUGIN_CASES = SCALE_CASES


class AskedBuildsAnew(TacticScale):
    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        if type == trt.PluginCapabilityType.CORE:
            self.half = False
        return self


publish(AskedBuildsAnew)
