"""Has the width of the model that it was written for as the width of its output."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "SHP-008"

PLUGIN_CASES = SCALE_CASES
WIDTH = 5


class WidthOfTheModel(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        output[len(output) - 1] = expr_builder.constant(WIDTH)
        return output


publish(WidthOfTheModel)
