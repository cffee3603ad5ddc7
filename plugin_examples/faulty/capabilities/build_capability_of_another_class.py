"""Returns its helper with the name and the version as the BUILD capability."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-003"

PLUGIN_CASES = SCALE_CASES


class Naming(trt.IPluginV3OneCore):
    def __init__(self):
        trt.IPluginV3OneCore.__init__(self)
        self.plugin_name = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = ""


class HelperForBuild(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.naming = Naming()

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self if type == trt.PluginCapabilityType.RUNTIME else self.naming


publish(HelperForBuild)
