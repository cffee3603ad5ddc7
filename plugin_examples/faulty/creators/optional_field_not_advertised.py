"""Reads a field ``shift`` that it does not advertise, so no parser passes it."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

BREAKS = "CRE-002"
FIXED = {
    'trt.PluginField("mode", np.array([], np.int8), trt.PluginFieldType.CHAR),': (
        'trt.PluginField("mode", np.array([], np.int8), trt.PluginFieldType.CHAR),\n'
        'trt.PluginField("shift", np.array([], np.int32), trt.PluginFieldType.INT32),'
    ),
}

PLUGIN_CASES = AFFINE_CASES


class OptionalNotAdvertised(AffineCreator):
    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection(
            [
                trt.PluginField("scale", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
                trt.PluginField("mode", np.array([], np.int8), trt.PluginFieldType.CHAR),
            ]
        )


publish(creator_class=OptionalNotAdvertised)
