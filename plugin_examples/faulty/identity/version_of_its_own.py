"""Has version 1.0, though its creator has version 1."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-002"
FIXED = {'self.plugin_version = "1.0"': 'self.plugin_version = "1"'}

PLUGIN_CASES = SCALE_CASES


class VersionOfItsOwn(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.plugin_version = "1.0"


publish(VersionOfItsOwn)
