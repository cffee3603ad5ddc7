"""Returns the shape of its output, and not a list of it."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "SHP-001"

PLUGIN_CASES = SCALE_CASES


class BareShape(Scale):
    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return trt.DimsExprs(inputs[0])


publish(BareShape)
