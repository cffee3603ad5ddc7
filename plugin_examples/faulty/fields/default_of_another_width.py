"""Advertises a default whose elements are twice as wide as the field's type."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "PFD-001"
ALSO = {"CRE-003": "a buffer can only be wrong where an advertised field carries data"}
FIXED = {
    "self.default = np.array([1.0])": "self.default = np.array([1.0], np.float32)",
}

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.default = np.array([1.0])
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("factor", self.default, trt.PluginFieldType.FLOAT32)]
        )


publish(Scale, Creator)
