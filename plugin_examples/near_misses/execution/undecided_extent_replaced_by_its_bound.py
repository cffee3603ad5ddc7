"""Looks at the dimension in the descriptor of its output, and takes the bound where it is -1."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_non_zero_v3 import PLACES_CASES, Places
from plugin_examples.faulty.bases.sound_scale_v3 import publish

LOOKS_LIKE = "ENQ-015"

PLUGIN_CASES = PLACES_CASES


class ReplacedByItsBound(Places):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        extent = output_desc[0].dims[0]
        bound = trt.volume(input_desc[0].dims) if extent == -1 else extent
        with cp.cuda.ExternalStream(stream):
            count = self.integers(outputs[1], 1)
            cp.clip(count, 0, bound, out=count)


publish(ReplacedByItsBound)
