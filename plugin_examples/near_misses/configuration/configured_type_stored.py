"""Takes the type to compute in from configure_plugin, and stores it in a field, so that engines have it."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "CFG-007"

PLUGIN_CASES = SCALE_CASES

UNKNOWN = -1


class ConfiguredTypeStored(Scale):
    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD, kind=UNKNOWN):
        super().__init__(factor, phase)
        self.kind = kind

    def configure_plugin(self, inputs, outputs):
        self.kind = int(inputs[0].desc.type)

    def compute(self, x, y):
        y[...] = x * np.dtype(trt.nptype(trt.DataType(self.kind))).type(self.factor)

    def get_fields_to_serialize(self):
        self.stored_kind = np.array([self.kind], np.int32)
        return trt.PluginFieldCollection(
            [
                trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32),
                trt.PluginField("kind", self.stored_kind, trt.PluginFieldType.INT32),
            ]
        )

    def copy_identity_to(self, other):
        other.kind = self.kind
        return super().copy_identity_to(other)


class KindCreator(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        plugin = super().create_plugin(name, field_collection, phase)
        for field in field_collection:
            if field.name == "kind" and phase == trt.TensorRTPhase.RUNTIME:
                plugin.kind = int(field.data[0])
        return plugin


publish(ConfiguredTypeStored, KindCreator)
