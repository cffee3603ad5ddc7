"""Stores its factor in an array, and keeps no reference to the array."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "PFD-004"

PLUGIN_CASES = SCALE_CASES


class Temporary(Scale):
    def get_fields_to_serialize(self):
        stored = np.array([self.factor], np.float32)
        return trt.PluginFieldCollection([trt.PluginField("factor", stored, trt.PluginFieldType.FLOAT32)])


publish(Temporary)
