"""Initializes and returns the object itself in ``IPluginResource.clone``, as if one copy in the process were enough."""

from plugin_examples.faulty.bases.sound_resource_v3 import Factor, SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-001"

PLUGIN_CASES = SCALE_CASES


class OneFactor(Factor):
    def clone(self):
        if not self.address:
            self.acquire()
        return self


class ResourceClonedOnce(SharedScale):
    resource_class = OneFactor


publish(ResourceClonedOnce)
