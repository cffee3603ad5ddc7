"""Assigns its version as a number."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-011"

PLUGIN_CASES = SCALE_CASES


class VersionIsANumber(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.plugin_version = 1


publish(VersionIsANumber)
