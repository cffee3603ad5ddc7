"""Keeps an expression of get_output_shapes, and asks it for its value when the shapes are known."""

import operator

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "SHP-004"

PLUGIN_CASES = SCALE_CASES


class KeptExtent(Scale):
    width = None

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        self.width = inputs[0][len(inputs[0]) - 1]
        return super().get_output_shapes(inputs, shape_inputs, expr_builder)

    def configure_plugin(self, inputs, outputs):
        if self.width is not None:
            operator.methodcaller("is_constant")(self.width)


publish(KeptExtent)
