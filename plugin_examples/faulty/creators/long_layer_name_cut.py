"""Replaces its factor by 1 if the layer's name is longer than 2000 characters."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-010"

PLUGIN_CASES = SCALE_CASES


class CutsNames(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        plugin = super().create_plugin(name, field_collection, phase)
        if plugin is not None and len(name) > 2000:  # noqa: PLR2004 - a few of them are that long
            plugin.factor = 1.0
        return plugin


publish(Scale, CutsNames)
