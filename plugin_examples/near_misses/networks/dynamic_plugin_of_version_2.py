"""A plugin of version 2 in a network with dynamic shapes: one that is made for them."""

import tensorrt as trt

from plugin_examples import leaky_relu
from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "NET-001"
PLUGIN_APPS = ["main"]


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    layer = network.add_plugin_v2([x], leaky_relu.LeakyReluPlugin(0.25))
    pipeline.mark(network, pipeline.require(layer, "take the plugin"), "y")
    pipeline.built(builder, network, pipeline.TABLES)
