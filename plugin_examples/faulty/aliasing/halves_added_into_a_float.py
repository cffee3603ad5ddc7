"""Gives the sum of FP16 inputs as FP32, and declares that it shares the memory of the first of them."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish

BREAKS = "ALI-004"

PLUGIN_CASES = IN_PLACE_CASES
SUM = 2


class SumsInFloat(InPlace):
    def get_output_data_types(self, input_types):
        return [trt.DataType.FLOAT, input_types[0]]

    def supports_format_combination(self, pos, in_out, num_inputs):
        here = in_out[pos].desc
        if pos == SUM:
            return here.type == trt.DataType.FLOAT and here.format == trt.TensorFormat.LINEAR
        return super().supports_format_combination(pos, in_out, num_inputs)


publish(SumsInFloat)
