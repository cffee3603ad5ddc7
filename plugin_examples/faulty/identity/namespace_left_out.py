"""Never assigns a namespace, and neither does its creator."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "ID-012"
ALSO = {
    "ID-005": "the namespace is one of the attributes that must be assigned, and that has no default in Python",
    "SER-012": "the attribute is missing on deserialized objects too",
}

PLUGIN_CASES = SCALE_CASES


class NamespaceLeftOut(Scale):
    def __init__(self, factor):
        trt.IPluginV2DynamicExt.__init__(self)
        self.num_outputs = 1
        self.plugin_type = "Scale"
        self.plugin_version = "1"
        self.factor = factor

    def clone(self):
        return type(self)(self.factor)


class Creator(ScaleCreator):
    def make(self, factor):
        return self.plugin_class(factor)


publish(NamespaceLeftOut, Creator)
