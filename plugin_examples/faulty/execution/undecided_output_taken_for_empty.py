"""Returns early if its output is empty; a data-dependent dimension is -1, and the volume then below 0."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

BREAKS = "ENQ-015"

PLUGIN_CASES = PLACES_CASES


class TakenForEmpty(Places):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(output_desc[0].dims) <= 0:
            return
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(TakenForEmpty)
