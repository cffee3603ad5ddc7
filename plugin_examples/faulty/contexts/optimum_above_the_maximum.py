"""The optimum of the profile is larger than its maximum: the two were exchanged."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "CTX-018"
FIXED = {"(1, 4), (8, 4), (4, 4)": "(1, 4), (4, 4), (8, 4)"}
PLUGIN_APPS = ["main"]


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    pipeline.mark(network, network.add_plugin_v3([x], [], pipeline.relu()), "y")
    pipeline.built(builder, network, {"x": [(1, 4), (8, 4), (4, 4)]})
