"""Rewrites in ``configure_plugin`` a device buffer that it shares with its clones."""

import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_tuned import TunedScale

BREAKS = "CLN-007"

PLUGIN_CASES = SCALE_CASES


class ClonesShareADeviceBuffer(TunedScale):
    def store_step(self, value):
        if self.step is None:
            super().store_step(value)
        else:
            self.step.set(np.array([value], np.float32))


publish(ClonesShareADeviceBuffer)
