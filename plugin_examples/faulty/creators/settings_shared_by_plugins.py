"""Plugins of one creator share its dictionary of settings, where each stores its configuration."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, device_array, publish

BREAKS = "CRE-004"
FIXED = {"plugin.settings = self.settings": "plugin.settings = {}"}

PLUGIN_CASES = SCALE_CASES


class SettingsSharedByPlugins(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.settings = {}

    def configure_plugin(self, inputs, outputs):
        self.settings["elements"] = trt.volume(inputs[0].desc.dims)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        count = self.settings["elements"]
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x.reshape(-1)[:count], x.dtype.type(self.factor), out=y.reshape(-1)[:count])

    def clone(self):
        clone = super().clone()
        clone.settings = dict(self.settings)
        return clone


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.settings = {}

    def make(self, factor):
        plugin = super().make(factor)
        plugin.settings = self.settings
        return plugin


publish(SettingsSharedByPlugins, Creator)
