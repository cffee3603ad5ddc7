"""Assigns ``plugin_namespace`` in the creator's class, where TensorRT does not look."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator

BREAKS = "CRE-001"
ALSO = {"REG-007": "registering this creator ends the process, so the module does not register it"}
FIXED = {
    (
        'plugin_namespace = ""\n'
        "plugin_class = Scale\n"
        "\n"
        "def __init__(self):\n"
        "    trt.IPluginCreator.__init__(self)\n"
        '    self.name = "Scale"\n'
        '    self.plugin_version = "1"'
    ): (
        "plugin_class = Scale\n"
        "\n"
        "def __init__(self):\n"
        "    trt.IPluginCreator.__init__(self)\n"
        '    self.name = "Scale"\n'
        '    self.plugin_version = "1"\n'
        '    self.plugin_namespace = ""'
    ),
}

PLUGIN_CASES = SCALE_CASES


class NamespaceInTheClass(ScaleCreator):
    plugin_namespace = ""
    plugin_class = Scale

    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "Scale"
        self.plugin_version = "1"
        self.field_names = trt.PluginFieldCollection(list(ScaleCreator().field_names))
