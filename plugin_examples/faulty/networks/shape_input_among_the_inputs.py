"""The wanted size is passed in the list of data inputs, with the table."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "NET-002"
FIXED = {
    "[x, size], []": "[x], [size]",
    "pipeline.TABLES": 'pipeline.TABLES, shapes={"size": [(1, 1), (8, 8), (16, 16)]}',
}
PLUGIN_APPS = ["main"]


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    size = network.add_input("size", trt.int64, (2,))
    pipeline.mark(network, network.add_plugin_v3([x, size], [], pipeline.tiles()), "y")
    pipeline.built(builder, network, pipeline.TABLES)
