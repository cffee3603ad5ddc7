"""Has its field names as a class attribute, which hides the attribute that TensorRT reads."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-001"

PLUGIN_CASES = SCALE_CASES
FACTOR = trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)


class Creator(ScaleCreator):
    field_names = trt.PluginFieldCollection([FACTOR])

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = ""


publish(Scale, Creator)
