"""Remembers the output's address and frees it in ``terminate``, as if it had allocated it."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-008"

PLUGIN_CASES = SCALE_CASES


class OutputsFreedByTerminate(Scale):
    buffer = 0

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        self.buffer = outputs[0]

    def terminate(self):
        cp.cuda.runtime.free(self.buffer)
        self.buffer = 0


publish(OutputsFreedByTerminate)
