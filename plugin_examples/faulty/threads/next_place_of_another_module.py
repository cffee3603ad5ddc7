"""Lets a resource take the next place of a table of another module, which counts the places without a lock."""

from plugin_examples.faulty.bases.sound_places import TABLE, taken
from plugin_examples.faulty.bases.sound_resource_v3 import Factor, SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "THR-008"

PLUGIN_CASES = SCALE_CASES


class FactorInAPlace(Factor):
    place = None

    def clone(self):
        other = type(self)(self.factor)
        other.place = taken(self.factor)
        return other

    def release(self):
        if self.place is not None:
            TABLE.pop(self.place)


class NextPlace(SharedScale):
    resource_class = FactorInAPlace

    def compute(self, x, y):
        y[...] = x * x.dtype.type(TABLE[self.resource.place])


publish(NextPlace)
