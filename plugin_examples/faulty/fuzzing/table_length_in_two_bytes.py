"""Allocates a table by a length of 16 bits, and clears it by one of 64."""

import ctypes
import struct

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, AffineCreator, publish

BREAKS = "FUZ-013"

PLUGIN_CASES = [{**AFFINE_CASES[0], "fields": {**AFFINE_CASES[0]["fields"], "length": np.array([16], np.int32)}}]
STORED = struct.Struct("<fiii")
MOST = 0xFFFF


class Tabled(Affine):
    def __init__(self, scale, shift, sign, length):
        super().__init__(scale, shift, sign)
        self.length = length
        self.table = (ctypes.c_float * (length & MOST))()
        ctypes.memset(self.table, 0, 4 * length)

    def serialize(self):
        return STORED.pack(self.factor, self.shift, self.sign, self.length)

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.shift, self.sign, self.length))


class TabledCreator(AffineCreator):
    def __init__(self):
        super().__init__()
        length = trt.PluginField("length", np.array([], np.int32), trt.PluginFieldType.INT32)
        self.field_names = trt.PluginFieldCollection([*self.field_names, length])

    def read(self, field):
        return self.read_number(field, trt.PluginFieldType.INT32) if field.name == "length" else super().read(field)

    def from_values(self, values):
        if values.get("scale") is None or None in values.values():
            return None
        return self.make(values["scale"], values.get("shift", 0), values.get("mode", 1), values.get("length", 16))

    def make(self, *parameters):
        plugin = self.plugin_class(*parameters)
        plugin.plugin_namespace = self.plugin_namespace
        return plugin

    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size or not 0 <= STORED.unpack(data)[3] <= MOST:
            return None
        return self.make(*STORED.unpack(data))


publish(Tabled, TabledCreator)
