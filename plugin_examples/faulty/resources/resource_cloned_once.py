"""Returns from ``IPluginResource.clone`` the object itself, initialized: one copy in the process seems to be enough."""

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
