"""Is in the default namespace, as NVIDIA's samples are: its clone begins there, not in the assigned one."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "ID-013"

PLUGIN_CASES = SCALE_CASES


class CloneWithoutAnyNamespace(Scale):
    def clone(self):
        return type(self)(self.factor)


class Creator(ScaleCreator):
    def make(self, factor):
        return self.plugin_class(factor)


publish(CloneWithoutAnyNamespace, Creator)
