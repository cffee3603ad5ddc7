"""A mixin that comes first in its bases has an __init__ that calls no other."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-010"
FIXED = {"self.factor = factor": "super().__init__(factor)"}

PLUGIN_CASES = SCALE_CASES


class Counting:
    def __init__(self, factor):
        self.factor = factor
        self.calls = 0


class BaseClassNotInitialized(Counting, Scale):
    pass


publish(BaseClassNotInitialized)
