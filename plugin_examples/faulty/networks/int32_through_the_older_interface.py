"""Integers go into a plugin of version 2, which one of NVIDIA's headers does not allow."""

import tensorrt as trt

from plugin_examples import bar
from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "NET-007"
FIXED = {
    "dtype=trt.int32": "dtype=trt.float32",
    'z = network.add_input("z", trt.int32, (-1, 4))': 'z = network.add_input("z", trt.float32, (-1, 4))',
}
PLUGIN_APPS = ["main"]
ROWS = {"x": [(1, 4), (4, 4), (8, 4)], "z": [(1, 4), (2, 4), (8, 4)]}


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder, dtype=trt.int32)
    z = network.add_input("z", trt.int32, (-1, 4))
    pipeline.mark(network, network.add_plugin_v2([x, z], bar.BarPlugin()), "y")
    pipeline.built(builder, network, ROWS)
