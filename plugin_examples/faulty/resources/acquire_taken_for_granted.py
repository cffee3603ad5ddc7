"""Uses what ``acquire_plugin_resource`` returns at once, without a check for None."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-007"

PLUGIN_CASES = SCALE_CASES


class AcquireTakenForGranted(SharedScale):
    def acquire(self):
        self.resource = trt.get_plugin_registry().acquire_plugin_resource(self.key(), self.resource_class(self.factor))
        self.address = self.resource.address


publish(AcquireTakenForGranted)
