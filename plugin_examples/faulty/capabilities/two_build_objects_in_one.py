"""Adds IPluginV3OneBuildV2 to a class that derives from IPluginV3OneBuild already."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CAP-011"
FIXED = {
    "class ScaleForTheSecondVersion(Scale, trt.IPluginV3OneBuildV2):": "class ScaleForTheSecondVersion(Scale):",
    "trt.IPluginV3OneBuildV2.__init__(self)": "pass",
}

PLUGIN_CASES = SCALE_CASES


class ScaleForTheSecondVersion(Scale, trt.IPluginV3OneBuildV2):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        trt.IPluginV3OneBuildV2.__init__(self)

    def get_aliased_input(self, output_index):
        return -1


publish(ScaleForTheSecondVersion)
