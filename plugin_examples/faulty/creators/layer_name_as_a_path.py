"""Takes the last part of the layer's name for its number, as exporters of models name layers."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-010"

PLUGIN_CASES = SCALE_CASES


class NameAsAPath(ScaleCreator):
    def create_plugin(self, name, field_collection):
        plugin = super().create_plugin(name, field_collection)
        number = name.rpartition("_")[2]
        if plugin is not None and number.isdecimal():
            plugin.factor *= 1 + int(number) % 2
        return plugin


publish(Scale, NameAsAPath)
