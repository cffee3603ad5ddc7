"""Advertises a private table as UNKNOWN, over elements of four bytes."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "PFD-003"
ALSO = {"CRE-003": "a buffer can only be wrong where an advertised field carries data"}

PLUGIN_CASES = SCALE_CASES
TABLE = np.linspace(0, 1, 8, dtype=np.float32)


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection(
            [
                trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
                trt.PluginField("table", TABLE, trt.PluginFieldType.UNKNOWN),
            ]
        )


publish(Scale, Creator)
