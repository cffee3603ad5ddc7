"""Never assigns the creator's namespace: the real registry crashes when it is registered, which is left to others."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator

BREAKS = "CRE-001"
ALSO = {"REG-007": "registering this creator ends the process, so the module does not register it"}

PLUGIN_CASES = SCALE_CASES


class WithoutANamespace(ScaleCreator):
    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "Scale"
        self.plugin_version = "1"
        self.advertised = list(ScaleCreator().advertised)
        self.field_names = trt.PluginFieldCollection(self.advertised)

    def make(self, factor, phase):
        return Scale(factor, phase)
