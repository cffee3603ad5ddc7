"""Asks whether the shift goes up or down, and has no answer where it is 0."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, AffineCreator, publish

BREAKS = "FUZ-013"

PLUGIN_CASES = AFFINE_CASES
UP = DOWN = trt.DimensionOperation.SUM


class Directed(Affine):
    def __init__(self, scale, shift=0, sign=1):
        super().__init__(scale, shift, sign)
        if shift > 0:
            self.direction = 1
        elif shift < 0:
            self.direction = -1

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        return trt.DimsExprs(inputs[0]) if self.direction in {1, -1} else trt.DimsExprs()


class DirectedCreator(AffineCreator):
    def from_values(self, values):
        return super().from_values(values) if "shift" in values else None

    def deserialize_plugin(self, name, data):
        plugin = super().deserialize_plugin(name, data)
        return plugin if plugin is not None and plugin.shift else None


publish(Directed, DirectedCreator)
