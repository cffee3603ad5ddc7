"""Keeps the descriptions of its configuration for debugging, and works with a copy of their values."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_sized import SizedScale

LOOKS_LIKE = "CFG-015"

PLUGIN_CASES = SCALE_CASES


class KeptForAReport(SizedScale):
    last = None

    def configure_plugin(self, inputs, outputs):
        super().configure_plugin(inputs, outputs)
        self.last = inputs, tuple(inputs[0].desc.dims)

    def __repr__(self):
        return f"configured for {self.last}"


publish(KeptForAReport)
