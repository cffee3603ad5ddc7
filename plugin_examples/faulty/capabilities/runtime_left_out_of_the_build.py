"""Returns the RUNTIME capability only if it was made for an engine, although builders run plugins, too."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-001"
FIXED = {
    (
        "if type == trt.PluginCapabilityType.RUNTIME and self.phase == trt.TensorRTPhase.BUILD:\n"
        "    return None\n"
        "return self"
    ): "return self",
}

PLUGIN_CASES = SCALE_CASES


class RuntimeForEngines(Scale):
    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        if type == trt.PluginCapabilityType.RUNTIME and self.phase == trt.TensorRTPhase.BUILD:
            return None
        return self


publish(RuntimeForEngines)
