"""Stores its layout's version as INT32 over a NumPy integer of 64 bits, which happens to read back right."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "PFD-001"

PLUGIN_CASES = SCALE_CASES


class StoredVersion(Scale):
    layout = np.array([2])

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection(
            [
                trt.PluginField("factor", self.stored_factor, trt.PluginFieldType.FLOAT32),
                trt.PluginField("layout", self.layout, trt.PluginFieldType.INT32),
            ]
        )


publish(StoredVersion)
