"""Shares its factor under the size and the type of the stored factor, not under its value."""

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-013"

PLUGIN_CASES = SCALE_CASES


class KeyOfSizeAndType(SharedScale):
    def key(self):
        return f"{self.plugin_name}/{self.stored_factor.size}/{self.stored_factor.dtype}"


publish(KeyOfSizeAndType)
