"""Keeps in ``initialize`` that it has begun, and frees in ``destroy`` what that would have taken in the end."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "DST-003"

PLUGIN_CASES = SCALE_CASES


class FailedStart(Scale):
    begun = False

    def initialize(self):
        self.begun = True
        self.buffer = cp.cuda.runtime.malloc(1024)

    def terminate(self):
        cp.cuda.runtime.free(self.buffer)
        self.begun = False

    def destroy(self):
        if self.begun:
            cp.cuda.runtime.free(self.buffer)


publish(FailedStart)
