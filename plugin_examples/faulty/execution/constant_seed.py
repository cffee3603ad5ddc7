"""Seeds NumPy's global generator with a constant in each call, and draws no numbers."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ENQ-019"

PLUGIN_CASES = SCALE_CASES


class ConstantSeed(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        np.random.seed(0)  # noqa: NPY002
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(ConstantSeed)
