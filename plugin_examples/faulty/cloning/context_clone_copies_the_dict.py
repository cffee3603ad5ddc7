"""Makes proper clones for networks, but only copies ``__dict__`` for contexts, which clone an initialized plugin."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-005"
ALSO = {"ID-006": "the version differs on a clone"}

PLUGIN_CASES = SCALE_CASES


class ContextCloneCopiesTheDict(Scale):
    initialized = False

    def initialize(self):
        self.initialized = True

    def terminate(self):
        self.initialized = False

    def clone(self):
        if not self.initialized:
            return super().clone()
        other = type(self).__new__(type(self))
        trt.IPluginV2DynamicExt.__init__(other)
        other.__dict__.update(self.__dict__)
        other.num_outputs, other.plugin_type = self.num_outputs, self.plugin_type
        return other


publish(ContextCloneCopiesTheDict)
