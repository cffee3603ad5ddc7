"""Consists of several objects, and the BUILD object does not refer to the plugin."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import SplitScale

BREAKS = "CAP-012"

PLUGIN_CASES = SCALE_CASES


class HeldByNobody(SplitScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.build.plugin = None


publish(HeldByNobody)
