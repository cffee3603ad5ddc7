"""Leaves out of its data a parameter that has its default in every case."""

import struct

import numpy as np

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, AffineCreator, publish

BREAKS = "SER-004"

PLUGIN_CASES = [{**AFFINE_CASES[0], "fields": {**AFFINE_CASES[0]["fields"], "shift": np.array([0], np.int32)}}]
PARAMETERS = struct.Struct("<fi")


class DefaultShiftNotStored(Affine):
    def serialize(self):
        return PARAMETERS.pack(self.factor, self.sign)


class DefaultShiftCreator(AffineCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != PARAMETERS.size:
            return None
        scale, sign = PARAMETERS.unpack(data)
        return self.make(scale, 0, sign)


publish(DefaultShiftNotStored, DefaultShiftCreator)
