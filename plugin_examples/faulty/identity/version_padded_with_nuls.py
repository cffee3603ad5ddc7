"""Takes its version from a record of fixed width, and keeps the padding."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-004"

PLUGIN_CASES = SCALE_CASES
RECORD = b"Scale\0\0\0" + b"1\0\0\0"


class VersionPaddedWithNuls(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.plugin_version = RECORD[8:].decode()


publish(VersionPaddedWithNuls)
