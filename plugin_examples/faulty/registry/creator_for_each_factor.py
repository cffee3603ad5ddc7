"""Registers a ready-made creator for every factor that it meets."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "REG-013"
FIXED = {'trt.get_plugin_registry().register_creator(ReadyMade(plugin.factor), "")': "pass  # one creator is enough"}

PLUGIN_CASES = SCALE_CASES


class ReadyMade(ScaleCreator):
    plugin_class = Scale

    def __init__(self, factor):
        super().__init__()
        self.name = f"Scale{factor}"
        self.factor = factor

    def create_plugin(self, name, field_collection):
        return self.make(self.factor)


class Creator(ScaleCreator):
    def create_plugin(self, name, field_collection):
        plugin = super().create_plugin(name, field_collection)
        if plugin is not None:
            trt.get_plugin_registry().register_creator(ReadyMade(plugin.factor), "")
        return plugin


publish(Scale, Creator)
