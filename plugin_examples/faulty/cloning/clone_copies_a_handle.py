"""Copies the address of a buffer into its clones, and each of them frees it. The second error is swallowed."""

import contextlib

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-017"
ALSO = {"DST-002": "destroying a plugin and its clone frees one buffer twice"}
FIXED = {"other.flags = self.flags": "other.flags = 0  # the clone's initialize allocates a buffer"}

PLUGIN_CASES = SCALE_CASES


class CloneCopiesAHandle(Scale):
    flags = 0  # the address of a buffer for error flags

    def initialize(self):
        self.flags = cp.cuda.runtime.malloc(256)

    def terminate(self):
        self.free_flags()

    def destroy(self):
        self.free_flags()

    def free_flags(self):
        with contextlib.suppress(cp.cuda.runtime.CUDARuntimeError):
            cp.cuda.runtime.free(self.flags)
        self.flags = 0

    def clone(self):
        other = super().clone()
        other.flags = self.flags
        return other


publish(CloneCopiesAHandle)
