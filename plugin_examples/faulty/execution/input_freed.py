"""Frees its input when it is done, as if it owned the memory."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-008"

PLUGIN_CASES = SCALE_CASES


class InputFreed(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        cp.cuda.runtime.free(inputs[0])


publish(InputFreed)
