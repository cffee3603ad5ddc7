"""Converts data of its first version, and stores the result as data of the first version."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "FUZ-008"

PLUGIN_CASES = SCALE_CASES
IN_PERCENT, PLAIN = 0, 1
STORED = struct.Struct("<If")


class Versioned(Scale):
    version = PLAIN

    def serialize(self):
        return STORED.pack(self.version, self.factor)

    def copy_identity_to(self, other):
        other.version = self.version
        return super().copy_identity_to(other)


class VersionedCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size or STORED.unpack(data)[0] not in {IN_PERCENT, PLAIN}:
            return None
        version, factor = STORED.unpack(data)
        plugin = self.make(factor / 100 if version == IN_PERCENT else factor)
        plugin.version = version
        return plugin


publish(Versioned, VersionedCreator)
