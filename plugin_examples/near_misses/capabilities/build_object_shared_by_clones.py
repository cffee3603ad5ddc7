"""Clones share the object of the build capability, in which nothing ever changes."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import SplitScale

LOOKS_LIKE = "CAP-006"

PLUGIN_CASES = SCALE_CASES


class SharedBuild(SplitScale):
    def clone(self):
        other = super().clone()
        other.build = self.build
        return other


publish(SharedBuild)
