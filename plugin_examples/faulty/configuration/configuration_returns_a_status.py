"""Returns -1 from on_shape_change for a shape that it refuses, as a plugin in C++ does."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CFG-006"

PLUGIN_CASES = SCALE_CASES


class ReturnsAStatus(Scale):
    def on_shape_change(self, inputs, outputs):
        return 0 if inputs[0].dims[-1] else -1


publish(ReturnsAStatus)
