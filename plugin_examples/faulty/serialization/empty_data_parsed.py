"""Has no parameters, serializes to nothing, and parses that as JSON."""

import json

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-013"
ALSO = {"CRE-012": "deserialize_plugin raises for the data that serialize gives"}
FIXED = {'return self.make(json.loads(data).get("factor", 2.0))': "return self.make(2.0)"}

PLUGIN_CASES = [{**SCALE_CASES[0], "fields": {}, "reference": lambda x, *, fields: (x * np.float32(2)).astype(x.dtype)}]


class EmptyDataParsed(Scale):
    def serialize(self):
        return b""


class EmptyDataParsedCreator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, name, field_collection):
        return self.make(2.0)

    def deserialize_plugin(self, name, data):
        return self.make(json.loads(data).get("factor", 2.0))


publish(EmptyDataParsed, EmptyDataParsedCreator)
