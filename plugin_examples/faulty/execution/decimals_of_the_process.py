"""Sets the precision of the process's decimals and the size of NumPy's buffers when it is initialized."""

import decimal

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-019"

PLUGIN_CASES = SCALE_CASES


class DecimalsOfTheProcess(Scale):
    def initialize(self):
        decimal.getcontext().prec = 50
        np.setbufsize(4096)


publish(DecimalsOfTheProcess)
