"""Leaves one of its parameters out of its data; a deserialized plugin has the default."""

import struct

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, AffineCreator, publish

BREAKS = "SER-004"

PLUGIN_CASES = AFFINE_CASES
PARAMETERS = struct.Struct("<fi")


class ShiftNotSerialized(Affine):
    def serialize(self):
        return PARAMETERS.pack(self.factor, self.sign)


class ShiftNotSerializedCreator(AffineCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != PARAMETERS.size:
            return None
        scale, sign = PARAMETERS.unpack(data)
        return self.make(scale, 0, sign)


publish(ShiftNotSerialized, ShiftNotSerializedCreator)
