"""Derives from a second build interface, whose methods TensorRT never calls."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-009"
FIXED = {
    "class QuickAsWell(Scale, trt.IPluginV3QuickBuild):": "class QuickAsWell(Scale):",
    "trt.IPluginV3QuickBuild.__init__(self)": "pass",
}

PLUGIN_CASES = SCALE_CASES


class QuickAsWell(Scale, trt.IPluginV3QuickBuild):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        trt.IPluginV3QuickBuild.__init__(self)

    def get_num_outputs(self):
        return 1


publish(QuickAsWell)
