"""Advertises the fields of its last call, for a tool that shows current values."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-014"
ALSO = {"THR-009": "the creator holds the names, and each use writes them"}

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def make(self, factor):
        self.current = np.array([factor], np.float32)
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("factor", self.current, trt.PluginFieldType.FLOAT32)]
        )
        return super().make(factor)


publish(Scale, Creator)
