"""Passes its namespace to the constructor of its clone."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

LOOKS_LIKE = "ID-014"

PLUGIN_CASES = SCALE_CASES


class NamespacePassedToTheConstructor(Scale):
    def __init__(self, factor, namespace=""):
        super().__init__(factor)
        self.plugin_namespace = namespace

    def clone(self):
        return type(self)(self.factor, self.plugin_namespace)


class Creator(ScaleCreator):
    def make(self, factor):
        return self.plugin_class(factor, self.plugin_namespace)


publish(NamespacePassedToTheConstructor, Creator)
