"""Reads what it needs from the beginning of the data, and ignores what follows."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-011"

PLUGIN_CASES = SCALE_CASES


class TrailingDataIgnoredCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        return self.make(struct.unpack_from("<f", data)[0])


publish(Scale, TrailingDataIgnoredCreator)
