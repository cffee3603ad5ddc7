"""Has a metaclass, which notes each class of plugins and gives it a name."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "ID-009"

PLUGIN_CASES = SCALE_CASES
KNOWN = {}


class Noting(type(trt.IPluginV3)):
    def __init__(cls, name, bases, namespace):
        super().__init__(name, bases, namespace)
        cls.title = name.lower()
        KNOWN[name] = cls


class Noted(Scale, metaclass=Noting):
    pass


publish(KNOWN["Noted"])
