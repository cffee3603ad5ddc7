"""Stores the widest rows that ended contexts have run; an engine that is saved afterwards takes them for a limit."""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "FUZ-009"

PLUGIN_CASES = SCALE_CASES


class TunedByContexts(Scale):
    def __init__(self, factor, *phase):
        super().__init__(factor, *phase)
        self.limit = np.array([0], np.int32)
        self.seen = self.limit.copy()
        self.widest = 0

    def attach_to_context(self, context):
        attached = self.clone()
        if self.phase == trt.TensorRTPhase.RUNTIME:
            attached.limit, attached.seen = self.limit, self.seen
        return attached

    def compute(self, x, y):
        self.widest = max(self.widest, x.shape[-1])
        end = int(self.limit[0]) or x.shape[-1]
        cp.multiply(x[..., :end], x.dtype.type(self.factor), out=y[..., :end])

    def destroy(self):
        self.seen[0] = max(self.seen[0], self.widest)

    def get_fields_to_serialize(self):
        factor = trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32)
        return trt.PluginFieldCollection([factor, trt.PluginField("seen", self.seen, trt.PluginFieldType.INT32)])


class TunedCreator(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        plugin = super().create_plugin(name, field_collection, phase)
        for field in field_collection:
            if field.name == "seen" and plugin is not None:
                plugin.limit[0] = field.data[0]
        return plugin


publish(TunedByContexts, TunedCreator)
