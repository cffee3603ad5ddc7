"""Raises in ``on_shape_change`` if the shape is the same as before."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-008"
FIXED = {'raise ValueError(f"the shape is {shape} already")': "return"}

PLUGIN_CASES = SCALE_CASES


class WantsAChange(Scale):
    width = None

    def on_shape_change(self, inputs, outputs):
        shape = tuple(inputs[0].dims)
        if shape == self.width:
            raise ValueError(f"the shape is {shape} already")
        self.width = shape


publish(WantsAChange)
