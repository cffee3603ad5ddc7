"""Keeps every plugin in a list, for debugging."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "DST-006"
ALSO = {"THR-009": "the list belongs to the module, and grows with each plugin"}

PLUGIN_CASES = SCALE_CASES

ALL = []


class PluginsListedInTheModule(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        ALL.append(self)


publish(PluginsListedInTheModule)
