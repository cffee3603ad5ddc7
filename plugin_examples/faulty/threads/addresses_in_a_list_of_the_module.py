"""Puts the memory of a resource at the end of a list, and takes its place in the list afterwards."""

from plugin_examples.faulty.bases.sound_resource_v3 import Factor, SharedScale, number_at
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "THR-008"

PLUGIN_CASES = SCALE_CASES

ADDRESSES = []


class FactorInAList(Factor):
    place = None

    def acquire(self):
        super().acquire()
        ADDRESSES.append(self.address)
        self.place = len(ADDRESSES) - 1

    def release(self):
        super().release()
        if self.place is not None:
            ADDRESSES[self.place] = 0
        if not any(ADDRESSES):
            ADDRESSES.clear()

    def number(self):
        return number_at(ADDRESSES[self.place])


class AddressesInAList(SharedScale):
    resource_class = FactorInAList


publish(AddressesInAList)
