"""Keeps the descriptors that it was configured with, and reads the dimensions from them in ``enqueue``."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_sized import SizedScale

BREAKS = "CFG-015"

PLUGIN_CASES = SCALE_CASES


class DescriptorsKept(SizedScale):
    configured = None

    def configure_plugin(self, inputs, outputs):
        self.configured = inputs[0]

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.count = self.elements(self.configured)
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)

    def clone(self):
        other = super().clone()
        other.configured = self.configured
        return other


publish(DescriptorsKept)
