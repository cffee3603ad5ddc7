"""Adds a header to the workspace at each configuration, although only the last configuration counts."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_scratch import ScratchScale, nbytes

BREAKS = "CFG-001"

PLUGIN_CASES = SCALE_CASES

HEADER = 256


class ConfigurationAddsUp(ScratchScale):
    def __init__(self, factor):
        super().__init__(factor)
        self.profiles = []

    def configure_plugin(self, inputs, outputs):
        if -1 in tuple(inputs[0].desc.dims):
            self.profiles.append(tuple(inputs[0].max))

    def get_workspace_size(self, input_desc, output_desc):
        return nbytes(input_desc[0]) + HEADER * len(self.profiles)

    def clone(self):
        other = super().clone()
        other.profiles = list(self.profiles)
        return other


publish(ConfigurationAddsUp)
