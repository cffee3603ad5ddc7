"""Uploads the factor into a resource before it offers it: an offer that is not used keeps the memory."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-003"
ALSO = {
    "DST-001": "the offered resource still holds its memory when all plugins are destroyed",
    "DST-008": "each context offers another resource",
}

PLUGIN_CASES = SCALE_CASES


class PreparesTheTemplate(SharedScale):
    def acquire(self):
        template = self.resource_class(self.factor)
        template.acquire()
        self.resource = trt.get_plugin_registry().acquire_plugin_resource(self.key(), template)
        if self.resource is None:
            raise RuntimeError(f"the registry has no resource for {self.key()}")


publish(PreparesTheTemplate)
