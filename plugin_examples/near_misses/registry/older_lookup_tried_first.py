"""Works with old and new plugins: what get_plugin_creator does not find is looked for with get_creator."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "REG-008"
PLUGIN_APPS = ["main"]


def main():
    registry = trt.get_plugin_registry()
    creator = registry.get_plugin_creator("LeakyRelu", "2", "") or registry.get_creator("LeakyRelu", "2", "")
    print(pipeline.require(creator, "find LeakyRelu").name)
