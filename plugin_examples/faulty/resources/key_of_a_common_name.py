"""Shares its factor under a key that any other library may use as well."""

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-009"

PLUGIN_CASES = SCALE_CASES


class KeyOfACommonName(SharedScale):
    def key(self):
        return f"factor {self.factor}"


publish(KeyOfACommonName)
