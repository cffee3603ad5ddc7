"""Saves its factor as it got it, in FP32. A loaded plugin takes it for FP64 and saves it so."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-005"
ALSO = {"CRE-010": "an engine stores different data again, under any layer name"}

PLUGIN_CASES = SCALE_CASES


class SavedAgainAsDouble(Scale):
    form = "f"

    def serialize(self):
        return self.form.encode() + struct.pack(f"<{self.form}", self.factor)

    def clone(self):
        copy = super().clone()
        copy.form = self.form
        return copy


class SavedAgainAsDoubleCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        form = data[:1].decode()
        if form not in {"f", "d"} or len(data) != 1 + struct.calcsize(f"<{form}"):
            return None
        plugin = self.make(struct.unpack_from(f"<{form}", data, 1)[0])
        plugin.form = "d"
        return plugin


publish(SavedAgainAsDouble, SavedAgainAsDoubleCreator)
