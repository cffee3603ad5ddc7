"""Reads an environment variable when it is imported, and stores what it said."""

import os
import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-016"

PLUGIN_CASES = SCALE_CASES

TILE = int(os.environ.get("SCALE_TILE", "16"))
DATA = struct.Struct("<fi")


class TileStored(Scale):
    def serialize(self):
        return DATA.pack(self.factor, TILE)


class TileCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        return self.make(DATA.unpack(data)[0]) if len(data) == DATA.size else None


publish(TileStored, TileCreator)
