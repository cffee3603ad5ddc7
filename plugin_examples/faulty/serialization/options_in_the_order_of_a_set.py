"""Stores its options in the order of a set, which differs from process to process."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-002"

PLUGIN_CASES = SCALE_CASES

OPTIONS = {"fast", "exact", "wide", "narrow", "cached"}


class OptionsInTheOrderOfASet(Scale):
    def serialize(self):
        return struct.pack("<f", self.factor) + ",".join(OPTIONS).encode()


class OptionsCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        (factor,) = struct.unpack_from("<f", data)
        return self.make(factor) if {*data[4:].decode(errors="replace").split(",")} == OPTIONS else None


publish(OptionsInTheOrderOfASet, OptionsCreator)
