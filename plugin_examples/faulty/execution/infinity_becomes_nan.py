"""Adds the difference of each value from itself, which is zero unless the value is infinite."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ENQ-022"

PLUGIN_CASES = SCALE_CASES


class InfinityBecomesNan(Scale):
    def compute(self, x, y):
        super().compute(x, y)
        y += x - x


publish(InfinityBecomesNan)
