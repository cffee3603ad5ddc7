"""Frees in ``terminate`` a buffer that ``enqueue`` allocated, does not forget it, and frees it the next time again."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "INI-005"
FIXED = {
    "cp.cuda.runtime.free(self.scratch)\nself.ended = True": (
        "cp.cuda.runtime.free(self.scratch)\nself.scratch = None"
    ),
}

PLUGIN_CASES = SCALE_CASES


class ScratchFreedTwice(Scale):
    scratch, ended = None, False

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if self.scratch is None:
            self.scratch = cp.cuda.runtime.malloc(1024)
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)

    def terminate(self):
        if self.scratch is not None:
            cp.cuda.runtime.free(self.scratch)
        self.ended = True

    def destroy(self):
        if self.scratch is not None and not self.ended:
            cp.cuda.runtime.free(self.scratch)


publish(ScratchFreedTwice)
