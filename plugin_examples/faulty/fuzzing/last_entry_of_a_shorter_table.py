"""Stores a table and its length, and believes the length when a context takes the last entry."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "FUZ-008"

PLUGIN_CASES = SCALE_CASES


class Table(Scale):
    def __init__(self, factor, phase, table=None, length=3):
        super().__init__(factor, phase)
        self.stored_table = np.array([1, 1, factor], np.float32) if table is None else np.array(table)
        self.stored_length = np.array([length], np.int32)

    def attach_to_context(self, context):
        attached = self.clone()
        attached.factor = float(self.stored_table[self.stored_length[0] - 1])
        return attached

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.phase, self.stored_table, self.stored_length[0]))

    def get_fields_to_serialize(self):
        types = trt.PluginFieldType
        stored = [("table", self.stored_table, types.FLOAT32), ("length", self.stored_length, types.INT32)]
        return trt.PluginFieldCollection([trt.PluginField(*entry) for entry in stored])


class TableCreator(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        if phase == trt.TensorRTPhase.BUILD:
            return super().create_plugin(name, field_collection, phase)
        data = {field.name: field.data for field in field_collection}
        plugin = Table(0.0, phase, data["table"], data["length"][0])
        plugin.plugin_namespace = self.plugin_namespace
        return plugin


publish(Table, TableCreator)
