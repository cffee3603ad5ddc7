"""Turns NumPy's warnings off for the whole process, because its own arithmetic overflows."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-019"

PLUGIN_CASES = SCALE_CASES


class ErrorsIgnoredEverywhere(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        np.seterr(all="ignore")
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(ErrorsIgnoredEverywhere)
