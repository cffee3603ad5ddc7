"""Frees its parameters once they are in the engine, to save memory."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "SER-007"
FIXED = {"self.factor = None": "pass  # the plugin keeps its factor"}

PLUGIN_CASES = SCALE_CASES


class ParametersFreedBySerialize(Scale):
    data = None

    def serialize(self):
        if self.data is None:
            self.data = super().serialize()
            self.factor = None
        return self.data

    def clone(self):
        factor = self.factor if self.data is None else struct.unpack("<f", self.data)[0]
        return self.copy_identity_to(type(self)(factor))


publish(ParametersFreedBySerialize)
