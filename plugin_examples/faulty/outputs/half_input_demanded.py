"""Insists on FP16 already where a weakly typed network says FP32 for every type."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "OUT-008"

PLUGIN_CASES = [{**SCALE_CASES[0], "inputs": [{**SCALE_CASES[0]["inputs"][0], "types": ("float16",)}]}]


class HalfInputDemanded(Scale):
    def get_output_datatype(self, index, input_types):
        if input_types[0] != trt.DataType.HALF:
            raise TypeError("this plugin works in FP16")
        return super().get_output_datatype(index, input_types)


publish(HalfInputDemanded)
