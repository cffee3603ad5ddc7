"""Makes a new object with the name and the version for each query of the CORE capability."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-004"

PLUGIN_CASES = SCALE_CASES


class Naming(trt.IPluginV3OneCore):
    def __init__(self, plugin):
        trt.IPluginV3OneCore.__init__(self)
        self.plugin_name = plugin.plugin_name
        self.plugin_version = plugin.plugin_version
        self.plugin_namespace = plugin.plugin_namespace


class NamedAgainAndAgain(Scale):
    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return Naming(self) if type == trt.PluginCapabilityType.CORE else self


publish(NamedAgainAndAgain)
