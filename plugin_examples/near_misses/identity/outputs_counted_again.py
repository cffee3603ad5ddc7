"""Assigns the number of its outputs whenever it is configured: it is the same number each time."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "ID-008"

PLUGIN_CASES = SCALE_CASES


class OutputsCountedAgain(Scale):
    def configure_plugin(self, inputs, outputs):
        self.num_outputs = len(outputs)


publish(OutputsCountedAgain)
