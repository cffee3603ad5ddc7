"""Raises at a query of the BUILD capability in an engine, where it has none."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-008"
FIXED = {'raise NotImplementedError("an engine does not build")': "return None"}

PLUGIN_CASES = SCALE_CASES


class NothingToBuild(Scale):
    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        if type == trt.PluginCapabilityType.BUILD and self.phase == trt.TensorRTPhase.RUNTIME:
            raise NotImplementedError("an engine does not build")
        return self


publish(NothingToBuild)
