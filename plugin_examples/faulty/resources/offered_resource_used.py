"""Acquires a resource, but computes with the object that it offered."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-005"
FIXED = {
    "if trt.get_plugin_registry().acquire_plugin_resource(self.key(), self.resource) is None:": (
        "self.resource = trt.get_plugin_registry().acquire_plugin_resource(self.key(), self.resource)\n"
        "if self.resource is None:"
    ),
}

PLUGIN_CASES = SCALE_CASES


class OfferedResourceUsed(SharedScale):
    def acquire(self):
        self.resource = self.resource_class(self.factor)
        if trt.get_plugin_registry().acquire_plugin_resource(self.key(), self.resource) is None:
            raise RuntimeError(f"the registry has no resource for {self.key()}")

    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(self.resource.factor), out=y)


publish(OfferedResourceUsed)
