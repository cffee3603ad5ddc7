"""Clears in ``destroy`` an object that only ``initialize`` makes."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "DST-003"
FIXED = {"self.timings.clear()": "self.timings = None"}

PLUGIN_CASES = SCALE_CASES


class DestroyNeedsInitialize(Scale):
    def initialize(self):
        self.timings = []

    def destroy(self):
        self.timings.clear()


publish(DestroyNeedsInitialize)
