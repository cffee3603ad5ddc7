"""Opens its file in ``initialize``, and leaves closing it to ``destroy``."""

import os

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

BREAKS = "INI-002"

PLUGIN_CASES = BATCH_SCALE_CASES


class KeepsAFile(BatchScale):
    def __init__(self, factor):
        super().__init__(factor)
        self.files = []

    def initialize(self):
        self.files.append(os.open(__file__, os.O_RDONLY))
        return 0

    def destroy(self):
        while self.files:
            os.close(self.files.pop())


publish(KeepsAFile)
