"""Adds what it finds to its counter, and never sets that to zero."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "SHP-019"

PLUGIN_CASES = PLACES_CASES


class NeverZero(Places):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            if trt.volume(input_desc[0].dims) == 0:
                return
            count = self.integers(outputs[1], 1)
            before = count.copy()
            super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
            count += before


publish(NeverZero)
