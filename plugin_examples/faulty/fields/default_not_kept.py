"""Advertises a default in an array, and keeps no reference to the array."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "PFD-004"
ALSO = {"CRE-003": "a buffer can only be gone where an advertised field carries data"}

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("factor", np.array([1], np.float32), trt.PluginFieldType.FLOAT32)]
        )


publish(Scale, Creator)
