"""The profile has tables of 5 columns, and the network's input has 4."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-018"
PLUGIN_APPS = ["main"]


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    pipeline.mark(network, network.add_plugin_v3([x], [], pipeline.relu()), "y")
    pipeline.built(builder, network, {"x": [(1, 5), (4, 5), (8, 5)]})
