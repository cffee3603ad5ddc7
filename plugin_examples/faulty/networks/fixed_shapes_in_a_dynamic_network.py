"""A plugin that was written for an implicit batch is put into a network with a dynamic one."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline
from plugin_examples.implicit_batch import leaky_relu_v2

BREAKS = "NET-001"
FIXED = {"add_plugin_v2([x], leaky_relu_v2.LeakyReluV2Plugin": "add_plugin_v3([x], [], pipeline.relu"}
PLUGIN_APPS = ["main"]


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    layer = network.add_plugin_v2([x], leaky_relu_v2.LeakyReluV2Plugin(0.25))
    pipeline.mark(network, pipeline.require(layer, "take the plugin"), "y")
    pipeline.built(builder, network, pipeline.TABLES)
