"""Advertises its field twice, as FLOAT32 and as FLOAT64."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "PFD-011"

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection(
            [
                trt.PluginField("factor", np.array([], np.float64), trt.PluginFieldType.FLOAT64),
                trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
            ]
        )

    def read_factor(self, field):
        if field.type not in {trt.PluginFieldType.FLOAT32, trt.PluginFieldType.FLOAT64} or field.size != 1:
            return None
        return float(field.data.astype(np.float32)[0])  # too large for FLOAT32 is infinite, and can be stored


publish(Scale, Creator)
