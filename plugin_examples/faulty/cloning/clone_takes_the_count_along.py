"""Moves its configuration to its clone, and has none after that."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_sized import SizedScale

BREAKS = "CLN-009"

PLUGIN_CASES = SCALE_CASES


class CloneTakesTheCountAlong(SizedScale):
    def clone(self):
        other = super().clone()
        self.count = 0
        return other


publish(CloneTakesTheCountAlong)
