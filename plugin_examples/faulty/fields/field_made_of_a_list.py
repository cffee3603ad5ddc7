"""Its field gets the slope as a list of Python numbers."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "PFD-012"
FIXED = {
    "[0.25]": "np.array([0.25], np.float32)",
    "import tensorrt as trt": "import numpy as np\nimport tensorrt as trt",
}
PLUGIN_APPS = ["main"]


def main():
    creator = pipeline.require(trt.get_plugin_registry().get_creator("LeakyRelu", "2", ""), "find the plugin")
    field = trt.PluginField("negative_slope", [0.25], trt.PluginFieldType.FLOAT32)
    creator.create_plugin("relu", trt.PluginFieldCollection([field]), trt.TensorRTPhase.BUILD)
