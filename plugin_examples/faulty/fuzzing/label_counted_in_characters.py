"""Stores the length of its label in characters, and reads as many bytes."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "FUZ-008"

PLUGIN_CASES = SCALE_CASES
HEADER = struct.Struct("<fI")


class Labelled(Scale):
    label = "scale"

    def serialize(self):
        return HEADER.pack(self.factor, len(self.label)) + self.label.encode()

    def copy_identity_to(self, other):
        other.label = self.label
        return super().copy_identity_to(other)


class LabelledCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) < HEADER.size or len(data) != HEADER.size + HEADER.unpack_from(data)[1]:
            return None
        plugin = self.make(HEADER.unpack_from(data)[0])
        plugin.label = data[HEADER.size :].decode(errors="replace")
        return plugin


publish(Labelled, LabelledCreator)
