"""Clones itself by its constructor, which begins in the default namespace."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-013"

PLUGIN_CASES = SCALE_CASES


class CloneResetsTheNamespace(Scale):
    def clone(self):
        return type(self)(self.factor)


publish(CloneResetsTheNamespace)
