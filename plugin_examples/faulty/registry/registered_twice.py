"""Registers a second creator of the same name, and does not check whether that worked."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "REG-001"
FIXED = {
    'publish(RegisteredTwice)\ntrt.get_plugin_registry().register_creator(StrictCreator(), "")': (
        "publish(RegisteredTwice, StrictCreator)"
    ),
}

PLUGIN_CASES = SCALE_CASES


class RegisteredTwice(Scale):
    pass


class StrictCreator(ScaleCreator):
    plugin_class = RegisteredTwice

    def read_factor(self, field):
        factor = super().read_factor(field)
        return factor or None


publish(RegisteredTwice)
trt.get_plugin_registry().register_creator(StrictCreator(), "")
