"""Counts its clones, and insists in ``destroy`` that all of them are gone: builders destroy them in any order."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "DST-003"

PLUGIN_CASES = SCALE_CASES


class ComesLast(Scale):
    source = None
    clones = 0

    def clone(self):
        other = super().clone()
        other.source = self
        self.clones += 1
        return other

    def destroy(self):
        if self.clones:
            raise RuntimeError(f"{self.clones} clones are still there")
        if self.source is not None:
            self.source.clones -= 1


publish(ComesLast)
