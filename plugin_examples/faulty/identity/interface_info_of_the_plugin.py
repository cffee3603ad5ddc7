"""Answers itself which version of the interface it implements."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "ID-009"

PLUGIN_CASES = SCALE_CASES


class SaysItsInterface(Scale):
    @property
    def interface_info(self):
        return "PLUGIN V3ONE_BUILD", 1, 0


publish(SaysItsInterface)
