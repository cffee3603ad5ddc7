"""A plugin takes a vector of integers as data, which might as well be the values of a shape input."""

import tensorrt as trt

from plugin_examples import bar_v3
from plugin_examples.faulty.bases import sound_pipeline as pipeline

LOOKS_LIKE = "NET-002"
PLUGIN_APPS = ["main"]


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder, dtype=trt.int32)
    z = network.add_input("z", trt.int32, (-1, 4))
    layer = network.add_plugin_v3([x, z], [], bar_v3.BarPlugin())
    pipeline.mark(network, pipeline.require(layer, "take the plugin"), "y", "copy")
    pipeline.built(builder, network, {**pipeline.TABLES, "z": pipeline.TABLES["x"]})
