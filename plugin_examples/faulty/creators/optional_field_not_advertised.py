"""Takes a shift without advertising it: no parser ever offers it, though the plugin can be had with it."""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

BREAKS = "CRE-002"

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
