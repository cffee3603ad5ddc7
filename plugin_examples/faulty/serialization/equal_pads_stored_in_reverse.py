"""Stores the right padding before the left one, which a case with equal paddings does not show."""

import struct

import numpy as np

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "SER-004"

PLUGIN_CASES = [{**PAD_CASES[0], "name": "even", "fields": {"pads": np.array([2, 2], np.int32)}}]


class EqualPadsStoredInReverse(Pad):
    def serialize(self):
        return struct.pack("<2i", self.right, self.left)


publish(EqualPadsStoredInReverse, PadCreator)
