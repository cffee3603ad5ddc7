"""Caches facts about shapes in two slots in turn, and reads the facts of a third shape from one slot."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_sized import SizedScale

BREAKS = "CFG-009"

PLUGIN_CASES = SCALE_CASES

SLOTS = 2


class ShapeCacheOfTwoSlots(SizedScale):
    def __init__(self, factor):
        super().__init__(factor)
        self.slots, self.place = [None] * SLOTS, {}

    def initialize(self):
        self.place.clear()

    def configure_plugin(self, inputs, outputs):
        dims = tuple(inputs[0].desc.dims)
        if dims not in self.place:
            self.place[dims] = len(self.place) % SLOTS
            self.slots[self.place[dims]] = self.elements(inputs[0])
        self.count = self.slots[self.place[dims]]

    def clone(self):
        other = super().clone()
        other.slots, other.place = list(self.slots), dict(self.place)
        return other


publish(ShapeCacheOfTwoSlots)
