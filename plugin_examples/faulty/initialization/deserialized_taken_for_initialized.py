"""Uploads its table when it is deserialized, and then sees no need to do it in ``initialize`` ever again."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, ScaleCreator, publish
from plugin_examples.faulty.bases.sound_table import TableScale

BREAKS = "INI-008"

PLUGIN_CASES = SCALE_CASES


class DeserializedTakenForInitialized(TableScale):
    restored = False

    def restore(self):
        super().initialize()
        self.restored = True

    def initialize(self):
        if not self.restored:
            super().initialize()


class RestoringCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        plugin = super().deserialize_plugin(name, data)
        if plugin is not None:
            plugin.restore()
        return plugin


publish(DeserializedTakenForInitialized, RestoringCreator)
