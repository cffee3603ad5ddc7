"""Adds to the object that runs, and makes clones that have that of the base class."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import Runtime, SplitScale

BREAKS = "CLN-011"

PLUGIN_CASES = SCALE_CASES


class CountingRuntime(Runtime):
    runs = 0

    def compute(self, x, y):
        super().compute(x, y)
        self.runs += 1


class CloneRunsTheBaseClass(SplitScale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.runtime = CountingRuntime(self, self.factor)

    def clone(self):
        other = super().clone()
        other.runtime = Runtime(other, self.factor)
        return other


publish(CloneRunsTheBaseClass)
