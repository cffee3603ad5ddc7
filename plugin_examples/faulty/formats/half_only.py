"""Works in FP16 only."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "FMT-008"

PLUGIN_CASES = [{**SCALE_CASES[0], "inputs": [{**SCALE_CASES[0]["inputs"][0], "types": ("float16",)}]}]


class HalfOnly(Scale):
    def supports_format_combination(self, pos, in_out, num_inputs):
        return in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type == trt.DataType.HALF


publish(HalfOnly)
