"""Reads how many channels there are without asking whether that is known: it always is where there are three axes."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "FUZ-011"

PLUGIN_CASES = SCALE_CASES


class Channels(Scale):
    def get_output_dimensions(self, output_index, inputs, expr_builder):
        output = trt.DimsExprs(inputs[0])
        output[1] = expr_builder.constant(inputs[0][1].get_constant_value())
        return output


publish(Channels)
