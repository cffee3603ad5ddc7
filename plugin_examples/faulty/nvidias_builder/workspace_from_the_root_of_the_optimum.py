"""Takes the square root of the optimum, which NVIDIA's builder also gives as -1 if the plugin works in place."""

import math

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

BREAKS = "GEN-004"
FIXED = {"math.isqrt(length)": "math.isqrt(max(length, 0))"}

PLUGIN_CASES = IN_PLACE_CASES


class BlockedByTheRoot(InPlace):
    def get_workspace_size(self, inputs, outputs):
        for length in inputs[0].opt:
            math.isqrt(length)
        return 0


publish(BlockedByTheRoot)
