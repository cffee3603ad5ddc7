"""Two plugins add rows to the same table in place, side by side and not one after the other."""

import tensorrt as trt

from plugin_examples import in_place_add
from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "ALI-008"
FIXED = {
    'pipeline.mark(network, pipeline.require(layer, "take the plugin"), name)': (
        'pipeline.mark(network, pipeline.require(layer, "take the plugin"), name)\n'
        "x = layer.get_output(0)  # for the second plugin"
    ),
}
PLUGIN_APPS = ["main"]
ROWS = {"x": [(1, 4), (4, 4), (8, 4)], "update": [(1, 4), (1, 4), (1, 4)]}


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    update = network.add_input("update", trt.float32, (-1, 4))
    for name in ("y", "z"):
        layer = network.add_plugin_v3([x, update], [], in_place_add.InPlaceAddPlugin(0))
        pipeline.mark(network, pipeline.require(layer, "take the plugin"), name)
    pipeline.built(builder, network, ROWS, preview=[trt.PreviewFeature.ALIASED_PLUGIN_IO_10_03])
