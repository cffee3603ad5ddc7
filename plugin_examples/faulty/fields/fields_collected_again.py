"""Adds its field to one list each time that it is stored."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "PFD-011"
ALSO = {"SER-010": "the stored data grow each time"}

PLUGIN_CASES = SCALE_CASES


class CollectedAgain(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.collected = []

    def get_fields_to_serialize(self):
        self.collected.append(trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32))
        return trt.PluginFieldCollection(self.collected)


publish(CollectedAgain)
