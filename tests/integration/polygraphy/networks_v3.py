"""A network around an IPluginV3, made as Polygraphy's users make one: this file is also a network script of its own."""

import numpy as np
import tensorrt as trt
from polygraphy.backend.trt import CreateConfig, Profile, create_network

from plugin_examples import leaky_relu_v3

REGISTERED = leaky_relu_v3


def load_network():
    """Return (builder, network): LeakyRelu of x, negated."""
    builder, network = create_network()
    x = network.add_input("x", trt.float32, (-1, 3))
    creator = trt.get_plugin_registry().get_creator("LeakyRelu", "2", "")
    fields = [trt.PluginField("negative_slope", np.array([0.5], np.float32), trt.PluginFieldType.FLOAT32)]
    made = creator.create_plugin("relu", trt.PluginFieldCollection(fields), trt.TensorRTPhase.BUILD)
    plugin = network.add_plugin_v3([x], [], made)
    plugin.name = "relu"
    minus = network.add_unary(plugin.get_output(0), trt.UnaryOperation.NEG)
    minus.name = "minus"
    minus.get_output(0).name = "y"
    network.mark_output(minus.get_output(0))
    return builder, network


def config():
    """Return a configuration with one profile."""
    return CreateConfig(profiles=[Profile().add("x", (1, 3), (2, 3), (4, 3))])
