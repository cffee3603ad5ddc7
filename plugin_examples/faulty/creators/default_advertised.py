"""Advertises a field with its default value."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-003"
FIXED = {
    "self.default, trt.PluginFieldType.FLOAT32": "np.array([], np.float32), trt.PluginFieldType.FLOAT32",
}

PLUGIN_CASES = SCALE_CASES


class DefaultAdvertised(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.default = np.array([1], np.float32)
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("factor", self.default, trt.PluginFieldType.FLOAT32)]
        )


publish(Scale, DefaultAdvertised)
