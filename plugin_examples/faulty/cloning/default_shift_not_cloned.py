"""Makes clones without a parameter that has its default in every case."""

import numpy as np

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, publish

BREAKS = "CLN-002"

PLUGIN_CASES = [{**AFFINE_CASES[0], "fields": {**AFFINE_CASES[0]["fields"], "shift": np.array([0], np.int32)}}]


class DefaultShiftNotCloned(Affine):
    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, 0, self.sign))


publish(DefaultShiftNotCloned)
