"""Takes one padding for both sides, and its creator refuses paddings that are not equal."""

import numpy as np

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

LOOKS_LIKE = "ENQ-023"

PLUGIN_CASES = [{**PAD_CASES[0], "fields": {"pads": np.array([2, 2], np.int32)}}]


class EqualPad(Pad):
    def enqueue(self, *arguments):
        Pad.enqueue(Pad((self.right, self.left)), *arguments)


class EqualPadCreator(PadCreator):
    def make(self, pads):
        return super().make(pads) if len(set(pads)) == 1 else None


publish(EqualPad, EqualPadCreator)
