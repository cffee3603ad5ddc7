"""Makes clones for the runtime phase, in which they have no BUILD capability."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-005"

PLUGIN_CASES = SCALE_CASES


class ClonedForContexts(Scale):
    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        if type == trt.PluginCapabilityType.BUILD and self.phase == trt.TensorRTPhase.RUNTIME:
            return None
        return self

    def clone(self):
        return self.copy_identity_to(ClonedForContexts(self.factor, trt.TensorRTPhase.RUNTIME))


publish(ClonedForContexts)
