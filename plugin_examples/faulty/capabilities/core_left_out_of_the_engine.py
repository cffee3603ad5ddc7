"""Hands out the CORE capability only while networks are built, where the name seemed to be needed."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-002"
FIXED = {
    (
        "if type == trt.PluginCapabilityType.CORE and self.phase == trt.TensorRTPhase.RUNTIME:\n"
        "    return None\n"
        "return self"
    ): "return self",
}

PLUGIN_CASES = SCALE_CASES


class CoreForBuilds(Scale):
    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        if type == trt.PluginCapabilityType.CORE and self.phase == trt.TensorRTPhase.RUNTIME:
            return None
        return self


publish(CoreForBuilds)
