"""Has NumPy ignore errors while it works, and returns early for an empty tensor without undoing that."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-019"

PLUGIN_CASES = SCALE_CASES


class ErrorsIgnoredAfterAnEmptyTensor(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        before = np.seterr(all="ignore")
        if trt.volume(input_desc[0].dims) == 0:
            return
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        np.seterr(**before)


publish(ErrorsIgnoredAfterAnEmptyTensor)
