"""Raises in ``destroy`` if the registry does not return 0, which the header names as success."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-008"
ALSO = {"DST-003": "the exception leaves destroy"}

PLUGIN_CASES = SCALE_CASES


class ReleaseTakenForFailed(SharedScale):
    def release(self):
        if trt.get_plugin_registry().release_plugin_resource(self.key()) != 0:
            raise RuntimeError(f"the resource {self.key()} could not be released")


publish(ReleaseTakenForFailed)
