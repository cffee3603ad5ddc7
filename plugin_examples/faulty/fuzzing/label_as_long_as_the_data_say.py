"""Reads as many characters of its label as the stored data say that there are."""

import ctypes
import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "FUZ-008"
FIXED = {"if not ctypes.string_at(label, length).startswith(Labelled.label):": "if label[:length] != Labelled.label:"}

PLUGIN_CASES = SCALE_CASES
STORED = struct.Struct("<fi8s")


class Labelled(Scale):
    label = b"scale"

    def serialize(self):
        return STORED.pack(self.factor, len(self.label), self.label)


class LabelledCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size:
            return None
        factor, length, label = STORED.unpack(data)
        if not ctypes.string_at(label, length).startswith(Labelled.label):
            return None
        return self.make(factor)


publish(Labelled, LabelledCreator)
