"""Keeps the launches of an engine in a table that its contexts share, one for each number of tiles."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES
from plugin_examples.faulty.bases.sound_scale_v3 import Scale, publish

BREAKS = "FUZ-010"

PLUGIN_CASES = WIDE_CASES

TILE = 16


class LaunchesOfTheEngine(Scale):
    def __init__(self, factor, phase, launches=None):
        super().__init__(factor, phase)
        self.launches = {} if launches is None else launches

    def compute(self, x, y):
        tiles = -(-x.shape[-1] // TILE)
        self.launches[tiles] = {"width": x.shape[-1], "rows": x.shape[0]}
        for row in range(x.shape[0]):
            width = self.launches[tiles]["width"]
            cp.multiply(x[row, :, :width], x.dtype.type(self.factor), out=y[row, :, :width])

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.phase, self.launches))


publish(LaunchesOfTheEngine)
