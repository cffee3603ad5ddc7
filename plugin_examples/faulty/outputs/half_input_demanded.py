"""Requires FP16 in the type query, where a weakly typed network passes FP32 for every type."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "OUT-008"
ALSO = {"FUZ-009": "generated applications also build weakly typed networks"}

PLUGIN_CASES = [{**SCALE_CASES[0], "inputs": [{**SCALE_CASES[0]["inputs"][0], "types": ("float16",)}]}]


class HalfInputDemanded(Scale):
    def get_output_datatype(self, index, input_types):
        if input_types[0] != trt.DataType.HALF:
            raise TypeError("this plugin works in FP16")
        return super().get_output_datatype(index, input_types)


publish(HalfInputDemanded)
