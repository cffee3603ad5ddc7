"""Announces a size rounded up to sixteen bytes, and fills its payload up to it with zeros that it checks."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "SER-003"

PLUGIN_CASES = SCALE_CASES
LAYOUT = struct.Struct("<f12x")


class PaddedPayload(Scale):
    def get_serialization_size(self):
        return LAYOUT.size

    def serialize(self):
        return LAYOUT.pack(self.factor)


class PaddedPayloadCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != LAYOUT.size or any(data[4:]):
            return None
        return self.make(*LAYOUT.unpack(data))


publish(PaddedPayload, PaddedPayloadCreator)
