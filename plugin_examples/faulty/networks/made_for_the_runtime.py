"""Plugins are always created for the runtime phase, also where they are to be built."""

import numpy as np
import tensorrt as trt

from plugin_examples import split_capabilities
from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "NET-008"
FIXED = {"create(trt.TensorRTPhase.RUNTIME)": "create(trt.TensorRTPhase.BUILD)"}
PLUGIN_APPS = ["main"]


class RuntimeOnly(split_capabilities.ChannelNormPlugin):
    """A plugin that a creator makes for the runtime phase, without the build capability."""

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return None if type == trt.PluginCapabilityType.BUILD else super().get_capability_interface(type)

    def clone(self):
        return RuntimeOnly(self._parameters)


def create(phase):
    parameters = split_capabilities.Parameters(np.zeros(4, np.float32), np.ones(4, np.float32))
    made = split_capabilities.ChannelNormPlugin if phase == trt.TensorRTPhase.BUILD else RuntimeOnly
    return made(parameters)


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    layer = network.add_plugin_v3([x], [], create(trt.TensorRTPhase.RUNTIME))
    pipeline.mark(network, pipeline.require(layer, "take the plugin"), "y")
    pipeline.built(builder, network, pipeline.TABLES)
