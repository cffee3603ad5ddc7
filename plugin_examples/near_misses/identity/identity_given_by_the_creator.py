"""Does not know its name: its creator assigns what TensorRT reads before it hands the plugin over."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "ID-005"

PLUGIN_CASES = SCALE_CASES


class Nameless(Scale):
    def __init__(self, factor, phase):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.factor = factor
        self.phase = phase

    def named(self, source):
        self.plugin_name, self.plugin_version = source.identity
        self.plugin_namespace = source.plugin_namespace
        self.num_outputs = 1
        self.stored_factor = source.as_stored(self.factor)
        return self

    @property
    def identity(self):
        return self.plugin_name, self.plugin_version

    def as_stored(self, factor):
        return self.stored_factor.copy()

    def clone(self):
        return type(self)(self.factor, self.phase).named(self)


class NamingCreator(ScaleCreator):
    @property
    def identity(self):
        return self.name, self.plugin_version

    def as_stored(self, factor):
        return Scale(factor).stored_factor

    def make(self, factor, phase):
        return self.plugin_class(factor, phase).named(self)


publish(Nameless, NamingCreator)
