"""Clones itself by its constructor, which begins in the default namespace."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ID-014"
ALSO = {"ID-013": "a namespace that is assigned from outside is lost in the same clone"}

PLUGIN_CASES = SCALE_CASES


class CloneResetsTheNamespace(Scale):
    def clone(self):
        return type(self)(self.factor)


publish(CloneResetsTheNamespace)
