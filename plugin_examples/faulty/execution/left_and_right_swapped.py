"""Takes the left padding for that on the right, which a case with equal paddings does not show."""

import numpy as np

from plugin_examples.faulty.bases.sound_pad import PAD_CASES, Pad, PadCreator
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "ENQ-023"

PLUGIN_CASES = [{**PAD_CASES[0], "fields": {"pads": np.array([2, 2], np.int32)}}]


class LeftAndRightSwapped(Pad):
    def enqueue(self, *arguments):
        swapped = Pad((self.right, self.left))
        Pad.enqueue(swapped, *arguments)


publish(LeftAndRightSwapped, PadCreator)
