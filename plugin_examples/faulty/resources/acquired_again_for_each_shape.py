"""Acquires the shared factor again for each new shape, and releases it once."""

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-004"

PLUGIN_CASES = SCALE_CASES


class AcquiredAgainForEachShape(SharedScale):
    def on_shape_change(self, inputs, outputs):
        self.acquire()


publish(AcquiredAgainForEachShape)
