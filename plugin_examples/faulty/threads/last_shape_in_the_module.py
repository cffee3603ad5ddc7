"""Writes the shape of each execution to a module's dictionary, for a log."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "THR-009"

PLUGIN_CASES = SCALE_CASES

LOG = {}


class LastShapeInTheModule(Scale):
    def on_shape_change(self, inputs, outputs):
        LOG["shape"] = tuple(inputs[0].dims)


publish(LastShapeInTheModule)
