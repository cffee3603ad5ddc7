"""Inherits a ``clone`` that makes objects of the base class, so that clones lack the subclass's additions."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-011"

PLUGIN_CASES = SCALE_CASES


class BaseScale(Scale):
    def clone(self):
        return self.copy_identity_to(BaseScale(self.factor))


class CountingScale(BaseScale):
    runs = 0

    def initialize(self):
        self.runs += 1


publish(CountingScale)
