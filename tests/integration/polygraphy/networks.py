"""A network around a plugin, made as Polygraphy's users make one: this file is also a network script of its own."""

import numpy as np
import tensorrt as trt
from polygraphy.backend.trt import CreateConfig, Profile, create_network

from plugin_examples import leaky_relu

REGISTERED = leaky_relu


def load_network():
    """Return (builder, network): LeakyRelu of x, plus one, and the shape of x."""
    builder, network = create_network()
    x = network.add_input("x", trt.float32, (-1, 3))
    creator = trt.get_plugin_registry().get_plugin_creator("LeakyRelu", "1", "")
    slope = np.array([0.5], np.float32)
    fields = [trt.PluginField("negative_slope", slope, trt.PluginFieldType.FLOAT32)]
    plugin = network.add_plugin_v2([x], creator.create_plugin("relu", trt.PluginFieldCollection(fields)))
    plugin.name = "relu"
    one = network.add_constant((1, 3), np.ones((1, 3), np.float32))
    one.name = "one"
    plus = network.add_elementwise(plugin.get_output(0), one.get_output(0), trt.ElementWiseOperation.SUM)
    plus.name = "plus"
    plus.get_output(0).name = "y"
    network.mark_output(plus.get_output(0))
    return builder, network


def config():
    """Return a configuration with two profiles."""
    profiles = [Profile().add("x", (1, 3), (2, 3), (4, 3)), Profile().add("x", (5, 3), (6, 3), (7, 3))]
    return CreateConfig(fp16=True, profiles=profiles)
