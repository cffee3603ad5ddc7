"""Bounds its count by the dimension in the descriptor of its output. That is not known yet: it finds no element."""

import cupy as cp

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "ENQ-015"

PLUGIN_CASES = PLACES_CASES


class AsManyAsItSays(Places):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        with cp.cuda.ExternalStream(stream):
            count = self.integers(outputs[1], 1)
            cp.clip(count, 0, max(output_desc[0].dims[0], 0), out=count)


publish(AsManyAsItSays)
