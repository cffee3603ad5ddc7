"""Counts its elements when it is configured for the first shape that runs, and never again."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_sized import SizedScale

BREAKS = "CFG-004"

PLUGIN_CASES = SCALE_CASES


class ExtentsFromTheFirstShape(SizedScale):
    runs = False

    def initialize(self):
        self.runs = True
        self.count = None

    def configure_plugin(self, inputs, outputs):
        if self.runs and self.count is None:
            self.count = self.elements(inputs[0])

    def clone(self):
        other = super().clone()
        other.runs = self.runs
        return other


publish(ExtentsFromTheFirstShape)
