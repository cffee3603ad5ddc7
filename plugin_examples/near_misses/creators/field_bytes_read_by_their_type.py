"""Reads the bytes of its field itself, as the type that the field declares, and converts what it finds."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "CRE-011"

PLUGIN_CASES = SCALE_CASES
TYPES = {
    trt.PluginFieldType.FLOAT32: np.float32,
    trt.PluginFieldType.FLOAT64: np.float64,
    trt.PluginFieldType.INT32: np.int32,
    trt.PluginFieldType.INT64: np.int64,
}


class Creator(ScaleCreator):
    def read_factor(self, field):
        if field.type not in TYPES or field.size != 1:
            return None
        return float(np.float32(np.frombuffer(field.data.tobytes(), TYPES[field.type])[0]))


publish(Scale, Creator)
