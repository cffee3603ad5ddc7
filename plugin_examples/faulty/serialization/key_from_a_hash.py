"""Stores the hash of a text as its key."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-002"

PLUGIN_CASES = SCALE_CASES

DATA = struct.Struct("<fq")


class KeyFromAHash(Scale):
    def serialize(self):
        return DATA.pack(self.factor, hash(f"{self.plugin_type}/{self.plugin_version}"))


class KeyFromAHashCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        return self.make(DATA.unpack(data)[0]) if len(data) == DATA.size else None


publish(KeyFromAHash, KeyFromAHashCreator)
