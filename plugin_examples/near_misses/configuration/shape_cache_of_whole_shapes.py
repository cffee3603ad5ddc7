"""Keeps what it computed for every shape that it has seen, under the whole shape."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_sized import SizedScale

LOOKS_LIKE = "CFG-009"

PLUGIN_CASES = SCALE_CASES


class CacheOfWholeShapes(SizedScale):
    def __init__(self, factor):
        super().__init__(factor)
        self.counts = {}

    def configure_plugin(self, inputs, outputs):
        key = tuple(inputs[0].desc.dims), tuple(inputs[0].max)
        if key not in self.counts:
            self.counts[key] = self.elements(inputs[0])
        self.count = self.counts[key]

    def clone(self):
        other = super().clone()
        other.counts = dict(self.counts)
        return other


publish(CacheOfWholeShapes)
