"""Raises in enqueue where the number of rows is odd, although the profile allows it."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ENQ-010"

PLUGIN_CASES = SCALE_CASES


class OddRowsRefused(Scale):
    def compute(self, x, y):
        if len(x) % 2:
            raise RuntimeError(f"{len(x)} rows cannot be paired")
        super().compute(x, y)


publish(OddRowsRefused)
