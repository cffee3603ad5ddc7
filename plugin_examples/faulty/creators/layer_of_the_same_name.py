"""Gives a layer whose name it knows the factor of the first layer of that name."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-010"
ALSO = {"CRE-013": "the creator keeps the first factor of each name"}

PLUGIN_CASES = SCALE_CASES


class KnowsNames(ScaleCreator):
    known = None

    def create_plugin(self, name, field_collection):
        plugin = super().create_plugin(name, field_collection)
        if plugin is None:
            return None
        self.known = self.known or {}
        plugin.factor = self.known.setdefault(name, plugin.factor)
        return plugin


publish(Scale, KnowsNames)
