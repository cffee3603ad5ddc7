"""The creator is looked up under a version that it does not have, and used without a check for None."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "REG-003"
FIXED = {
    'creator = trt.get_plugin_registry().get_creator("LeakyRelu", "3", "")': (
        'creator = trt.get_plugin_registry().get_creator("LeakyRelu", "3", "")\nif creator is None:\n    return'
    ),
}
PLUGIN_APPS = ["main"]


def main():
    builder = trt.Builder(pipeline.LOGGER)
    network, x = pipeline.new_network(builder)
    creator = trt.get_plugin_registry().get_creator("LeakyRelu", "3", "")
    plugin = creator.create_plugin("relu", trt.PluginFieldCollection([]), trt.TensorRTPhase.BUILD)
    pipeline.mark(network, network.add_plugin_v3([x], [], plugin), "y")
    pipeline.built(builder, network, pipeline.TABLES)
