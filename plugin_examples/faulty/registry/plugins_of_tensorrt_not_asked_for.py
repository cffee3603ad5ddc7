"""A plugin of TensorRT's own is looked up before anybody had them registered."""

import tensorrt as trt

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "REG-012"
PLUGIN_APPS = ["main"]


def main():
    creator = trt.get_plugin_registry().get_creator("LReLU_TRT", "1", "")
    if creator is None:
        trt.init_libnvinfer_plugins(pipeline.LOGGER, "")
        print("not found in the first place")
