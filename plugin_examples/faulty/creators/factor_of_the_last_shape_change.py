"""Hands the factor over in the class when the shapes change. So all layers multiply by the factor of the last layer."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CRE-013"

PLUGIN_CASES = SCALE_CASES


class FactorOfTheLastShapeChange(Scale):
    last = None

    def on_shape_change(self, inputs, outputs):
        FactorOfTheLastShapeChange.last = self.factor

    def compute(self, x, y):
        y[...] = x * x.dtype.type(self.last)


publish(FactorOfTheLastShapeChange)
