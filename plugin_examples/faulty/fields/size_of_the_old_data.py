"""Puts a default into a field that it has made without data, whose size stays 0."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "PFD-010"
FIXED = {
    "factor.data = self.default": "factor.data, factor.size = self.default, 1",
}

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.default = np.array([1], np.float32)
        factor = trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)
        factor.data = self.default
        self.field_names = trt.PluginFieldCollection([factor])


publish(Scale, Creator)
