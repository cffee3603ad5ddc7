"""Shares its factor under the plugin's name alone: a plugin with another factor gets it, too."""

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-013"

PLUGIN_CASES = SCALE_CASES


class KeyWithoutTheFactor(SharedScale):
    def key(self):
        return f"{self.plugin_name}/factor"


publish(KeyWithoutTheFactor)
