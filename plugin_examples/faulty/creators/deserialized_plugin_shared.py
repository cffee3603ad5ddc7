"""Keeps one plugin for all stored parameters, and returns it from each deserialization."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-012"
FIXED = {"return self.template": "return plugin"}

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.template = self.make(1.0)

    def deserialize_plugin(self, name, data):
        plugin = super().deserialize_plugin(name, data)
        if plugin is None:
            return None
        self.template.factor = plugin.factor
        return self.template


publish(Scale, Creator)
