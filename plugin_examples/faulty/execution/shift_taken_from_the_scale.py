"""Adds its scale, and not its shift: the case has the same number for both."""

import numpy as np

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, publish

BREAKS = "ENQ-023"

PLUGIN_CASES = [{**AFFINE_CASES[0], "fields": {"scale": np.array([3], np.float32), "shift": np.array([3], np.int32)}}]


class ShiftTakenFromTheScale(Affine):
    def enqueue(self, *arguments):
        shift = int(self.factor)
        Affine.enqueue(Affine(self.factor, shift, self.sign), *arguments)


publish(ShiftTakenFromTheScale)
