"""Turns NumPy's warnings about divisions off when a plugin is made."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ENQ-019"

PLUGIN_CASES = SCALE_CASES


class ErrorsIgnoredFromTheCreationOn(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        np.seterr(divide="ignore")


publish(ErrorsIgnoredFromTheCreationOn)
