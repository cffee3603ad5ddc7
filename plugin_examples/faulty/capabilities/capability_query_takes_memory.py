"""Allocates device memory at each query of its CORE capability."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-007"
ALSO = {
    "DST-008": "queries for each context take memory that stays with the object of the engine",
}

PLUGIN_CASES = SCALE_CASES


class AskedTakesMemory(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.taken = []

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        if type == trt.PluginCapabilityType.CORE:
            self.taken.append(cp.cuda.runtime.malloc(64))
        return self

    def destroy(self):
        while self.taken:
            cp.cuda.runtime.free(self.taken.pop())


publish(AskedTakesMemory)
