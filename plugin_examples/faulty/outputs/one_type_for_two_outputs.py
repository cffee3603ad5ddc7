"""Returns a type for the first of its two outputs only."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "OUT-001"
FIXED = {"return [input_types[0]]": "return [input_types[0], input_types[0]]"}

PLUGIN_CASES = SCALE_CASES


class OneType(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.num_outputs = 2

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return [trt.DimsExprs(inputs[0]), trt.DimsExprs(inputs[0])]


publish(OneType)
