"""Stores what it measured as UNKNOWN over floating-point numbers: a quarter of the bytes reaches the engine."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "PFD-003"
FIXED = {
    "self.measured, trt.PluginFieldType.UNKNOWN": ("self.measured.view(np.uint8), trt.PluginFieldType.UNKNOWN"),
}

PLUGIN_CASES = SCALE_CASES


class OpaqueBlob(Scale):
    measured = np.linspace(0, 1, 8, dtype=np.float32)

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection(
            [
                trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32),
                trt.PluginField("measured", self.measured, trt.PluginFieldType.UNKNOWN),
            ]
        )


publish(OpaqueBlob)
