"""Writes the greatest size to its size tensor first, and takes off what it did not find."""

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

LOOKS_LIKE = "SHP-019"

PLUGIN_CASES = PLACES_CASES


class CountedDown(Places):
    def write_count(self, count, found):
        count.fill(found.size)
        count -= (~found).sum()


publish(CountedDown)
