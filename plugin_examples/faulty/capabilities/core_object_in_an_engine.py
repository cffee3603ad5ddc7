"""Returns the object of the RUNTIME capability at a query for CORE in an engine."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import SplitScale

BREAKS = "CAP-003"

PLUGIN_CASES = SCALE_CASES


class CoreInAnEngine(SplitScale):
    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        if type == trt.PluginCapabilityType.CORE and self.phase == trt.TensorRTPhase.RUNTIME:
            return self.runtime
        return super().get_capability_interface(type)


publish(CoreInAnEngine)
