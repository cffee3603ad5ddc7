"""Gives each clone of its resource the next slot of a table, and counts the slots without a lock."""

import cupy as cp

from plugin_examples.faulty.bases.sound_resource_v3 import Factor, SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "THR-008"

PLUGIN_CASES = SCALE_CASES


SLOTS = {}


class FactorInASlot(Factor):
    count = 0

    def clone(self):
        other = FactorInASlot(self.factor)
        other.slot = FactorInASlot.count
        FactorInASlot.count = other.slot + 1
        SLOTS[other.slot] = self.factor
        return other

    def release(self):
        del SLOTS[self.slot]


class ClonesTakeNumberedSlots(SharedScale):
    resource_class = FactorInASlot

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(SLOTS[self.resource.slot]), out=y)


publish(ClonesTakeNumberedSlots)
