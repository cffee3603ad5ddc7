"""The creator of an IPluginV3 is looked up with get_plugin_creator, which does not see it."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "REG-008"
FIXED = {"get_plugin_creator(": "get_creator("}
PLUGIN_APPS = ["main"]


def main():
    creator = trt.get_plugin_registry().get_plugin_creator("LeakyRelu", "2", "")
    pipeline.require(creator, "find the plugin LeakyRelu")
