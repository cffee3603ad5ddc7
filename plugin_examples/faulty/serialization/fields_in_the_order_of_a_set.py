"""Stores its fields in the order of a set of their names."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "SER-016"

PLUGIN_CASES = SCALE_CASES


class FieldsInTheOrderOfASet(Scale):
    def get_fields_to_serialize(self):
        self.stored = {name: np.array([value], np.float32) for name, value in self.values()}
        fields = [trt.PluginField(name, self.stored[name], trt.PluginFieldType.FLOAT32) for name in set(self.stored)]
        return trt.PluginFieldCollection(fields)

    def values(self):
        yield "factor", self.factor
        yield from ((name, 0.0) for name in ("bias", "slope", "limit", "spare"))


publish(FieldsInTheOrderOfASet)
