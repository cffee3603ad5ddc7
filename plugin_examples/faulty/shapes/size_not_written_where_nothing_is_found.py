"""Returns at once if it finds nothing, and does not write that the size is 0."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import device_array, publish

BREAKS = "SHP-019"
FIXED = {
    (
        "elif device_array(input_desc[0], inputs[0]).any():\n"
        "    super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)"
    ): ("else:\n    super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)"),
}

PLUGIN_CASES = PLACES_CASES


class NothingFound(Places):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            if trt.volume(input_desc[0].dims) == 0:
                self.integers(outputs[1], 1).fill(0)
            elif device_array(input_desc[0], inputs[0]).any():
                super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(NothingFound)
