"""Stores text over bytes, opaque data over a packed structure, and its factor over a slice of a larger array."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "PFD-001"

PLUGIN_CASES = SCALE_CASES


class StoredBytes(Scale):
    def __init__(self, factor, phase):
        super().__init__(factor, phase)
        self.stored_factor = np.array([0, factor, 0], np.float32)[1:2]
        self.stored_text = "größer".encode()
        self.stored_layout = np.array([2], np.uint32)

    def get_fields_to_serialize(self):
        types = trt.PluginFieldType
        return trt.PluginFieldCollection(
            [
                trt.PluginField("factor", self.stored_factor, types.FLOAT32),
                trt.PluginField("text", self.stored_text, types.CHAR),
                trt.PluginField("layout", self.stored_layout, types.INT32),
            ]
        )


publish(StoredBytes)
