"""Takes device memory in ``__new__`` of the resource that it offers, before any ``__init__`` runs."""

import cupy as cp

from plugin_examples.faulty.bases.sound_resource_v3 import NBYTES, Factor, SharedScale, upload
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-003"
ALSO = {
    "DST-001": "the offered resource still holds its memory when all plugins are destroyed",
    "DST-008": "each context offers another resource",
}

PLUGIN_CASES = SCALE_CASES


class FactorBornWithMemory(Factor):
    def __new__(cls, *parameters):
        born = super().__new__(cls)
        born.reserved = cp.cuda.runtime.malloc(NBYTES)
        return born

    def __init__(self, factor):
        super().__init__(factor)
        self.address = self.reserved

    def acquire(self):
        upload(self.address, self.factor)


class TemplateBornWithMemory(SharedScale):
    resource_class = FactorBornWithMemory


publish(TemplateBornWithMemory)
