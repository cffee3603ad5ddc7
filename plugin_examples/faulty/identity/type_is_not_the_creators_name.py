"""Calls itself ScalePlugin, while its creator is called Scale."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-001"

PLUGIN_CASES = SCALE_CASES


class TypeIsNotTheCreatorsName(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.plugin_type = "ScalePlugin"


publish(TypeIsNotTheCreatorsName)
