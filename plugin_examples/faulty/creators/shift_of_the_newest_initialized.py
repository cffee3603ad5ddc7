"""Keeps the shift of the newest initialized plugin in the class. So two layers of a network add the same shift."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, AffineCreator, publish

BREAKS = "CRE-013"

PLUGIN_CASES = AFFINE_CASES


class ShiftOfTheNewestInitialized(Affine):
    newest = 0

    def initialize(self):
        ShiftOfTheNewestInitialized.newest = self.shift

    def enqueue(self, *arguments):
        own, self.shift = self.shift, self.newest
        try:
            super().enqueue(*arguments)
        finally:
            self.shift = own


publish(ShiftOfTheNewestInitialized, AffineCreator)
