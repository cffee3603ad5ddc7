"""Appends each change of shape to a list that is never emptied."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-008"

PLUGIN_CASES = SCALE_CASES


class ShapesNoted(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.shapes = []

    def on_shape_change(self, inputs, outputs):
        self.shapes.append(tuple(inputs[0].dims))


publish(ShapesNoted)
