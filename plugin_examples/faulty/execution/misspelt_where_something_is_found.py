"""Calls a method that does not exist, so enqueue raises before it writes the data-dependent size."""

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "ENQ-010"

PLUGIN_CASES = PLACES_CASES


class Misspelt(Places):
    def write_count(self, count, found):
        count[0] = found.total()


publish(Misspelt)
