"""Ignores a configuration for a shape that it has seen before, though another shape came between."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_sized import SizedScale

BREAKS = "CFG-009"

PLUGIN_CASES = SCALE_CASES


class ShapeSeenBeforeIsSkipped(SizedScale):
    def __init__(self, factor):
        super().__init__(factor)
        self.seen = set()

    def initialize(self):
        self.seen.clear()

    def configure_plugin(self, inputs, outputs):
        dims = tuple(inputs[0].desc.dims)
        if dims not in self.seen:
            self.seen.add(dims)
            super().configure_plugin(inputs, outputs)

    def clone(self):
        other = super().clone()
        other.seen = set(self.seen)
        return other


publish(ShapeSeenBeforeIsSkipped)
