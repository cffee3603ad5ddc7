"""Keeps its buffer in ``terminate`` if it has run, though the next start allocates another buffer."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "INI-002"

PLUGIN_CASES = SCALE_CASES


class SparesWhatHasRun(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.buffers, self.has_run = [], False

    def initialize(self):
        self.buffers.append(cp.cuda.runtime.malloc(1024))
        self.has_run = False

    def enqueue(self, *arguments):
        super().enqueue(*arguments)
        self.has_run = True

    def terminate(self):
        if not self.has_run:
            cp.cuda.runtime.free(self.buffers.pop())

    def destroy(self):
        while self.buffers:
            cp.cuda.runtime.free(self.buffers.pop())


publish(SparesWhatHasRun)
