"""The list of creators is read once, and consulted again after a creator was replaced."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "REG-005"
FIXED = {'print(found(creators, "LeakyRelu"))': 'print(found(registry.all_creators, "LeakyRelu"))'}
PLUGIN_APPS = ["main"]


def found(creators, name):
    return next(creator for creator in creators if creator.name == name)


def main():
    registry = trt.get_plugin_registry()
    creators = registry.all_creators
    registry.deregister_creator(found(creators, "LeakyRelu"))
    registry.register_creator(pipeline.leaky_relu_v3.LeakyReluCreator(), "")
    print(found(creators, "LeakyRelu"))
