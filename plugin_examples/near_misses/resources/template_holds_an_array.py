"""Offers a resource that has its number in the host's memory already, which goes with it; clones upload it."""

import numpy as np

from plugin_examples.faulty.bases.sound_resource_v3 import Factor, SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

LOOKS_LIKE = "RES-003"

PLUGIN_CASES = SCALE_CASES


class FactorOfAnArray(Factor):
    def __init__(self, factor):
        super().__init__(factor)
        self.table = np.full(1024, factor, np.float32)


class TemplateHoldsAnArray(SharedScale):
    resource_class = FactorOfAnArray


publish(TemplateHoldsAnArray)
