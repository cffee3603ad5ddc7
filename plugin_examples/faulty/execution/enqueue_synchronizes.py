"""Waits for the stream at the end of ``enqueue``."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-013"

PLUGIN_CASES = SCALE_CASES


class EnqueueSynchronizes(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        cp.cuda.ExternalStream(stream).synchronize()


publish(EnqueueSynchronizes)
