"""The CORE object that it makes for an engine has no version."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish
from plugin_examples.faulty.bases.sound_split_v3 import SplitScale

BREAKS = "ID-005"
FIXED = {
    'self.plugin_name = "Scale"': 'self.plugin_name = "Scale"\nself.plugin_version = "1"',
}

PLUGIN_CASES = SCALE_CASES


class EngineCore(trt.IPluginV3OneCore):
    def __init__(self):
        trt.IPluginV3OneCore.__init__(self)
        self.plugin_name = "Scale"
        self.plugin_namespace = ""


class VersionForgotten(SplitScale):
    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD):
        super().__init__(factor, phase)
        if phase == trt.TensorRTPhase.RUNTIME:
            self.core = EngineCore()


publish(VersionForgotten)
