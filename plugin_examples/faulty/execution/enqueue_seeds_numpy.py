"""Seeds NumPy's global generator in every call."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-019"

PLUGIN_CASES = SCALE_CASES


class EnqueueSeedsNumpy(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        np.random.seed(inputs[0] % 2**32)  # noqa: NPY002
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(EnqueueSeedsNumpy)
