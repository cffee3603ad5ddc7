"""Multiplies by the value of an environment variable where an engine runs."""

import os

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "SER-016"

PLUGIN_CASES = SCALE_CASES


class FactorOfAVariable(Scale):
    def enqueue(self, *arguments):
        factor, self.factor = self.factor, self.factor * float(os.environ.get("SCALE_GAIN", "1"))
        super().enqueue(*arguments)
        self.factor = factor


publish(FactorOfAVariable)
