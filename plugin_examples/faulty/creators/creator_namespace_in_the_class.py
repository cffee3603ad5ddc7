"""Has the creator's namespace in its class, where TensorRT does not look, and leaves registering it to others."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator

BREAKS = "CRE-001"
ALSO = {"REG-007": "the module does not register it: the runtime ends at that as a real process does"}

PLUGIN_CASES = SCALE_CASES


class NamespaceInTheClass(ScaleCreator):
    plugin_namespace = ""
    plugin_class = Scale

    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "Scale"
        self.plugin_version = "1"
        self.field_names = trt.PluginFieldCollection(list(ScaleCreator().field_names))
