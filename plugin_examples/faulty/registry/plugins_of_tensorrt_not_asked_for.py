"""Looks up a plugin of TensorRT before it calls ``init_libnvinfer_plugins``."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "REG-012"
FIXED = {
    'creator = trt.get_plugin_registry().get_creator("LReLU_TRT", "1", "")': (
        'trt.init_libnvinfer_plugins(pipeline.LOGGER, "")\n'
        'creator = trt.get_plugin_registry().get_creator("LReLU_TRT", "1", "")'
    ),
}
PLUGIN_APPS = ["main"]


def main():
    creator = trt.get_plugin_registry().get_creator("LReLU_TRT", "1", "")
    if creator is None:
        trt.init_libnvinfer_plugins(pipeline.LOGGER, "")
        print("not found in the first place")
