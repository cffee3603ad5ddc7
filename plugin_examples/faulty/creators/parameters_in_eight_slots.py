"""Has parameters in eight slots of the module, and the ninth plugin takes the slot of the first."""

import itertools

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CRE-013"

PLUGIN_CASES = SCALE_CASES

SLOTS = {}
PLACES = itertools.count()


class ParametersInEightSlots(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.slot = next(PLACES) % 8
        SLOTS[self.slot] = factor

    @property
    def factor(self):
        return SLOTS[self.slot]

    @factor.setter
    def factor(self, value):
        self.first = value


publish(ParametersInEightSlots)
