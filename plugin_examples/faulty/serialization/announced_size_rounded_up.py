"""Announces a size that is a multiple of eight, and returns four bytes."""

import struct

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-003"
FIXED = {"return 8": 'return struct.calcsize("<f")', "len(data) != 8": "len(data) != 4"}

PLUGIN_CASES = SCALE_CASES


class AnnouncedSizeRoundedUp(Scale):
    def get_serialization_size(self):
        return 8


class AnnouncedSizeRoundedUpCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        if len(data) != 8:  # noqa: PLR2004 - what was announced
            return None
        return self.make(struct.unpack_from("<f", data)[0])


publish(AnnouncedSizeRoundedUp, AnnouncedSizeRoundedUpCreator)
