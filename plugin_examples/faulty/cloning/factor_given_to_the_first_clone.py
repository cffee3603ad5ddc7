"""Gives its copy of the factor to the first clone, so that a second clone has none."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CLN-009"

PLUGIN_CASES = SCALE_CASES


class FactorGivenToTheFirstClone(Scale):
    def __init__(self, factor, *others):
        super().__init__(factor, *others)
        self.copies = [factor]

    def clone(self):
        factor = self.copies.pop() if self.copies else 0.0
        return self.copy_identity_to(type(self)(factor, self.phase))


publish(FactorGivenToTheFirstClone)
