"""Keeps the rank from the query of output shapes in a context variable, and reads it when a shape changes."""

import contextvars

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ENQ-021"
ALSO = {
    "THR-003": "a thread that runs a context has not set the variable either",
    "THR-004": "a thread that clones has not set the variable, either",
}

PLUGIN_CASES = SCALE_CASES[:1]

RANK = contextvars.ContextVar("RANK", default=0)


class RankFromTheShapeQuery(Scale):
    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        RANK.set(len(inputs[0]))
        return [trt.DimsExprs(inputs[0])]

    def on_shape_change(self, inputs, outputs):
        if not RANK.get():
            raise RuntimeError("the rank is not known")


publish(RankFromTheShapeQuery)
