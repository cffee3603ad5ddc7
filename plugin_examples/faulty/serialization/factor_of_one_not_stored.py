"""Stores no factor. Its case uses the default factor, so that the error is not visible there."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-008"

PLUGIN_CASES = [{**case, "fields": {"factor": np.array([1.0], np.float32)}} for case in SCALE_CASES]


class FactorNotStored(Scale):
    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([])


class OneCreator(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        if phase == trt.TensorRTPhase.RUNTIME:
            return self.make(1.0, phase)
        return super().create_plugin(name, field_collection, phase)


publish(FactorNotStored, OneCreator)
