"""Stores its factor within a private packed structure, as UNKNOWN over bytes."""

import struct

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "PFD-003"

PLUGIN_CASES = SCALE_CASES
LAYOUT = struct.Struct("<if")


class OpaqueStructure(Scale):
    def __init__(self, factor, phase):
        super().__init__(factor, phase)
        self.blob = np.frombuffer(LAYOUT.pack(1, factor), np.uint8)

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("blob", self.blob, trt.PluginFieldType.UNKNOWN)])


class StructureCreator(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        if phase == trt.TensorRTPhase.BUILD:
            return super().create_plugin(name, field_collection, phase)
        blobs = [field.data.tobytes() for field in field_collection if field.name == "blob"]
        if len(blobs) != 1 or len(blobs[0]) != LAYOUT.size:
            return None
        return self.make(LAYOUT.unpack(blobs[0])[1], phase)


publish(OpaqueStructure, StructureCreator)
