"""Uploads its factor again for each clone, and waits for the copy, though the factor never changes."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CLN-012"

PLUGIN_CASES = SCALE_CASES


class CloneUploadsAgain(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        with cp.cuda.Stream(non_blocking=True) as stream:
            self.on_device = cp.asarray(np.array([self.factor], np.float32))
        stream.synchronize()

    def compute(self, x, y):
        cp.multiply(x, self.on_device, out=y)


publish(CloneUploadsAgain)
