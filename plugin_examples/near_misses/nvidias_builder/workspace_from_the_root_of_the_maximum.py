"""Takes the root of the maximum in get_workspace_size, in which no dimension is negative."""

import math

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

LOOKS_LIKE = "GEN-004"

PLUGIN_CASES = IN_PLACE_CASES


class RootOfTheMaximum(InPlace):
    def get_workspace_size(self, inputs, outputs):
        for extent in inputs[0].max:
            math.isqrt(extent)
        return 0


publish(RootOfTheMaximum)
