"""Stores the number of its mode in a list that is sorted by hashes."""

import struct

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-002"

PLUGIN_CASES = [{**SCALE_CASES[0], "fields": {"factor": np.array([1.5], np.float32)}}]

MODES = sorted(("linear", "cubic", "nearest", "area", "lanczos"), key=hash)
DATA = struct.Struct("<fi")


class ModesSortedByTheirHashes(Scale):
    def serialize(self):
        return DATA.pack(self.factor, MODES.index("linear") * 16 + MODES.index("area"))


class ModesCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        return self.make(DATA.unpack(data)[0]) if len(data) == DATA.size else None


publish(ModesSortedByTheirHashes, ModesCreator)
