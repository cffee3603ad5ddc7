"""The plugin has no outputs yet, so that the network refuses it; its output is taken all the same."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "NET-003"
ALSO = {"APP-001": "the AttributeError of None ends the application, and the warning NET-003 does not block APP-001"}
FIXED = {
    "network.mark_output(network.add_plugin_v3([x], [], Unfinished(0.25)).get_output(0))": (
        "layer = network.add_plugin_v3([x], [], Unfinished(0.25))\n"
        "if layer is None:\n"
        "    return\n"
        "network.mark_output(layer.get_output(0))"
    ),
}
PLUGIN_APPS = ["main"]


class Unfinished(pipeline.leaky_relu_v3.LeakyReluPlugin):
    def clone(self):
        clone = super().clone()
        clone.num_outputs = 0
        return clone


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    network.mark_output(network.add_plugin_v3([x], [], Unfinished(0.25)).get_output(0))
    pipeline.built(builder, network, pipeline.TABLES)
