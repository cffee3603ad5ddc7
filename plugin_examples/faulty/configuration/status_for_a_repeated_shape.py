"""Returns 1, "nothing to do", from ``on_shape_change`` if the shape is that of the call before."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-006"
FIXED = {"return 1": "return None"}

PLUGIN_CASES = SCALE_CASES


class StatusForARepeatedShape(Scale):
    last = None

    def on_shape_change(self, inputs, outputs):
        shape = tuple(inputs[0].dims)
        if shape == self.last:
            return 1
        self.last = shape
        return None


publish(StatusForARepeatedShape)
