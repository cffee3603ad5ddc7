"""Registers a creator whose version it never assigns: TensorRT refuses it, and the module cannot be imported."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator

BREAKS = "CRE-001"

PLUGIN_CASES = SCALE_CASES


class WithoutAVersion(ScaleCreator):
    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "Scale"
        self.plugin_namespace = ""
        self.advertised = list(ScaleCreator().advertised)
        self.field_names = trt.PluginFieldCollection(self.advertised)

    def make(self, factor, phase):
        return Scale(factor, phase)


if not trt.get_plugin_registry().register_creator(WithoutAVersion(), ""):
    raise RuntimeError("TensorRT refused the creator")
