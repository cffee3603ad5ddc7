"""Has its parameter behind a property, which reads it from the stored value."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "SER-007"

PLUGIN_CASES = SCALE_CASES


class Behind(Scale):
    @property
    def factor(self):
        return float(self.stored_factor[0])

    @factor.setter
    def factor(self, value):
        self.stored_factor = np.array([value], np.float32)


publish(Behind)
