"""Makes the classes of its creators in a function, and registers one for each of two plugins."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator

LOOKS_LIKE = "REG-001"

PLUGIN_CASES = SCALE_CASES


class Negative(Scale):
    def compute(self, x, y):
        cp.multiply(x, x.dtype.type(-self.factor), out=y)


def creator_of(plugin_class, name):
    class Creator(ScaleCreator):
        def __init__(self):
            super().__init__()
            self.name = name

        def make(self, factor, phase):
            plugin = plugin_class(factor, phase)
            plugin.plugin_name, plugin.plugin_namespace = name, self.plugin_namespace
            return plugin

    return Creator


class NamedClone:
    def copy_identity_to(self, other):
        other.plugin_name = self.plugin_name
        return super().copy_identity_to(other)


def named(plugin_class):
    return type(plugin_class.__name__, (NamedClone, plugin_class), {"__module__": __name__})


for kind, name in ((Scale, "Scale"), (Negative, "Negative")):
    trt.get_plugin_registry().register_creator(creator_of(named(kind), name)(), "")
