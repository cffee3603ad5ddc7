"""Reads its tuning file each time that it is configured for a shape that runs."""

import pathlib

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CFG-010"
FIXED = {
    "self.tuning = TUNING.read_bytes()": "self.tuning = TUNING",
    "TUNING = pathlib.Path(__file__)  # any file will do": "TUNING = pathlib.Path(__file__).read_bytes()",
}

PLUGIN_CASES = SCALE_CASES

TUNING = pathlib.Path(__file__)  # any file will do


class ConfigurationReadsAFile(Scale):
    def configure_plugin(self, inputs, outputs):
        if -1 not in tuple(inputs[0].desc.dims):
            self.tuning = TUNING.read_bytes()


publish(ConfigurationReadsAFile)
