"""Allocates two buffers in ``initialize`` and frees one of them in ``terminate``; the other waits for ``destroy``."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_table import TableScale

BREAKS = "INI-002"
FIXED = {
    (
        "def destroy(self):\n"
        "    super().destroy()\n"
        "    while self.buffers:\n"
        "        cp.cuda.runtime.free(self.buffers.pop())"
    ): (
        "def terminate(self):\n"
        "    super().terminate()\n"
        "    while self.buffers:\n"
        "        cp.cuda.runtime.free(self.buffers.pop())"
    ),
}

PLUGIN_CASES = SCALE_CASES


class TerminateForgetsABuffer(TableScale):
    def __init__(self, factor):
        super().__init__(factor)
        self.buffers = []

    def initialize(self):
        super().initialize()
        self.buffers.append(cp.cuda.runtime.malloc(1024))

    def destroy(self):
        super().destroy()
        while self.buffers:
            cp.cuda.runtime.free(self.buffers.pop())


publish(TerminateForgetsABuffer)
