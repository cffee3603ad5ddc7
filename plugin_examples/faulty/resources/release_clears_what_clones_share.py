"""Clears in ``IPluginResource.release`` a list that the clone shares with its source."""

from plugin_examples.faulty.bases.sound_resource_v3 import Factor, SharedScale, upload
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-002"
FIXED = {"self.values.clear()\nsuper().release()": "super().release()"}

PLUGIN_CASES = SCALE_CASES


class FactorInAList(Factor):
    def __init__(self, factor):
        super().__init__(factor)
        self.values = [factor]

    def clone(self):
        other = super().clone()
        other.values = self.values
        upload(other.address, other.values[0] if other.values else 0)
        return other

    def release(self):
        self.values.clear()
        super().release()


class ReleaseClearsWhatClonesShare(SharedScale):
    resource_class = FactorInAList


publish(ReleaseClearsWhatClonesShare)
