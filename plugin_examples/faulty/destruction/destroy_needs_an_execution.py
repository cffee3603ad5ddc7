"""Divides in ``destroy`` by the number of its executions, which may be 0."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "DST-003"

PLUGIN_CASES = SCALE_CASES


class NeedsAnExecution(Scale):
    elements = runs = 0

    def compute(self, x, y):
        super().compute(x, y)
        self.elements += x.size
        self.runs += 1

    def destroy(self):
        self.average = self.elements / self.runs


publish(NeedsAnExecution)
