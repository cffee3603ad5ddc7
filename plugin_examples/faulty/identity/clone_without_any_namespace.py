"""Its clones always begin in the default namespace, as those of NVIDIA's samples do."""

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
