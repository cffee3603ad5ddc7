"""Opens a file in the resource's ``__init__``, which only ``release`` closes."""

import os

from plugin_examples.faulty.bases.sound_resource_v3 import Factor, SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-003"
ALSO = {
    "DST-001": "the offered resource still holds its file when all plugins are destroyed",
    "DST-008": "each context offers another resource",
}

PLUGIN_CASES = SCALE_CASES


class FactorOfAFile(Factor):
    def __init__(self, factor):
        super().__init__(factor)
        self.file = os.open(__file__, os.O_RDONLY)

    def release(self):
        super().release()
        if self.file is not None:
            os.close(self.file)
            self.file = None


class TemplateOpensAFile(SharedScale):
    resource_class = FactorOfAFile


publish(TemplateOpensAFile)
