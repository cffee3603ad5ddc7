"""The plugin keeps the network that it is added to, to look up names of tensors later."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-021"
FIXED = {"plugin.network = network": "plugin.names = [x.name]"}
PLUGIN_APPS = ["main"]


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    plugin = pipeline.relu()
    plugin.network = network
    pipeline.mark(network, network.add_plugin_v3([x], [], plugin), "y")
    pipeline.built(builder, network, pipeline.TABLES).create_execution_context()
