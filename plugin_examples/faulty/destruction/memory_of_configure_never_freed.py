"""Allocates memory when it is first configured, and never frees it."""

from plugin_examples.faulty.bases.sound_owner import Owner
from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, publish

BREAKS = "DST-001"

PLUGIN_CASES = SCALE_CASES


class MemoryOfConfigureNeverFreed(Owner):
    def release(self):
        self.memory = None


publish(MemoryOfConfigureNeverFreed)
