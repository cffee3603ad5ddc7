"""Advertises ``Factor`` and reads ``factor``: what is offered is passed over, and the case has the default."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-002"


def reference(x, *, fields):
    return x


PLUGIN_CASES = [
    {**case, "fields": {"Factor": np.array([1], np.float32)}, "reference": reference} for case in SCALE_CASES
]


class Capitals(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.advertised = [trt.PluginField("Factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self.advertised)

    def create_plugin(self, name, field_collection, phase):
        if any(field.name == "factor" for field in field_collection):
            return super().create_plugin(name, field_collection, phase)
        return self.make(1.0, phase)


publish(Scale, Capitals)
