"""Stores its factor twice, as FLOAT32 and as FLOAT64."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "PFD-011"

PLUGIN_CASES = SCALE_CASES


class StoredTwice(Scale):
    def get_fields_to_serialize(self):
        self.precise = self.stored_factor.astype(np.float64)
        return trt.PluginFieldCollection(
            [
                trt.PluginField("factor", self.precise, trt.PluginFieldType.FLOAT64),
                trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32),
            ]
        )


class Creator(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        factor = None
        for field in field_collection:
            if field.name == "factor" and field.type == trt.PluginFieldType.FLOAT32:
                factor = self.read_factor(field)
            elif field.name == "factor" and phase == trt.TensorRTPhase.BUILD:
                return None
        return None if factor is None else self.make(factor, phase)


publish(StoredTwice, Creator)
