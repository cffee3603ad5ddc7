"""Stores the width that it saw last along with the factor."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "SER-010"

PLUGIN_CASES = SCALE_CASES


class WidthStored(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.width = np.zeros(1, np.int32)

    def on_shape_change(self, inputs, outputs):
        self.width = np.array([inputs[0].dims[-1]], np.int32)

    def get_fields_to_serialize(self):
        factor = trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32)
        width = trt.PluginField("width", self.width, trt.PluginFieldType.INT32)
        return trt.PluginFieldCollection([factor, width])


publish(WidthStored)
