"""Makes its clones without ``__init__``, copies ``__dict__``, and assigns each native attribute by name."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CLN-005"

PLUGIN_CASES = SCALE_CASES
NATIVE = ("num_outputs", "plugin_type", "plugin_version", "plugin_namespace")


class CloneWithoutInit(Scale):
    def clone(self):
        other = type(self).__new__(type(self))
        trt.IPluginV2DynamicExt.__init__(other)
        other.__dict__.update(self.__dict__)
        for name in NATIVE:
            setattr(other, name, getattr(self, name))
        return other


publish(CloneWithoutInit)
