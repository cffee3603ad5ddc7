"""Takes half precision only once ``initialize`` has asked the device, which is long after the formats are chosen."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "INI-004"
ALSO = {"FMT-002": "the same question gets another answer once the object is initialized"}

PLUGIN_CASES = [{**SCALE_CASES[0], "inputs": [{**SCALE_CASES[0]["inputs"][0], "types": ("float32",)}]}]


class HalfKnownAfterInitialize(Scale):
    has_half = False

    def initialize(self):
        self.has_half = cp.cuda.runtime.getDeviceCount() > 0

    def supports_format_combination(self, pos, in_out, num_inputs):
        if in_out[0].type == trt.DataType.HALF and not self.has_half:
            return False
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(HalfKnownAfterInitialize)
