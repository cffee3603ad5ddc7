"""Destroys its clones when it is destroyed, though TensorRT does that too."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "DST-007"

PLUGIN_CASES = SCALE_CASES


class ClonesDestroyedByTheirSource(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.clones = []

    def clone(self):
        self.clones.append(super().clone())
        return self.clones[-1]

    def destroy(self):
        for clone in self.clones:
            clone.destroy()


publish(ClonesDestroyedByTheirSource)
