"""Returns its fields in a list, not in a collection."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "SER-009"

PLUGIN_CASES = SCALE_CASES


class FieldsInAList(Scale):
    def get_fields_to_serialize(self):
        return [trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32)]


publish(FieldsInAList)
