"""Assigns the namespace where it creates plugins, and not where it deserializes them."""

import struct

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-012"
ALSO = {"ID-005": "the rule checks every way to make a plugin"}

PLUGIN_CASES = SCALE_CASES


class DeserializedWithoutANamespace(Scale):
    def __init__(self, factor):
        trt.IPluginV2DynamicExt.__init__(self)
        self.num_outputs = 1
        self.plugin_type = "Scale"
        self.plugin_version = "1"
        self.factor = factor

    def copy_identity_to(self, other):
        return other if self.plugin_namespace is None else super().copy_identity_to(other)


class DeserializedWithoutANamespaceCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != struct.calcsize("<f"):
            return None
        return self.plugin_class(struct.unpack("<f", data)[0])


publish(DeserializedWithoutANamespace, DeserializedWithoutANamespaceCreator)
