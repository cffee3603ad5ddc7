"""Draws a name for each clone from Python's global generator."""

import random

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-019"

PLUGIN_CASES = SCALE_CASES


class DrawnByClone(Scale):
    label = 0

    def clone(self):
        other = super().clone()
        other.label = random.getrandbits(32)
        return other


publish(DrawnByClone)
