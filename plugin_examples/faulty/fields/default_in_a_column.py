"""Advertises two defaults from a column of a table; other numbers of the table are between them."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "PFD-002"
ALSO = {"CRE-003": "a buffer can only be wrong where an advertised field carries data"}
FIXED = {
    (
        "self.field_names = trt.PluginFieldCollection(\n"
        '    [trt.PluginField("factor", TABLE[:, 0], trt.PluginFieldType.FLOAT32)]\n'
        ")"
    ): (
        "self.default = np.ascontiguousarray(TABLE[:, 0])\n"
        "self.field_names = trt.PluginFieldCollection(\n"
        '    [trt.PluginField("factor", self.default, trt.PluginFieldType.FLOAT32)]\n'
        ")"
    ),
}

PLUGIN_CASES = SCALE_CASES
TABLE = np.array([[1, 10], [2, 20]], np.float32)


class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("factor", TABLE[:, 0], trt.PluginFieldType.FLOAT32)]
        )


publish(Scale, Creator)
