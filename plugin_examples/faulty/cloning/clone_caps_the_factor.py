"""Caps its factor at 8 in clones. A case with a factor below that does not show it."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "CLN-002"
FIXED = {"type(self)(min(self.factor, 8.0), self.phase)": "type(self)(self.factor, self.phase)"}

PLUGIN_CASES = SCALE_CASES[:1]


class ClonesAreCapped(Scale):
    def clone(self):
        return self.copy_identity_to(type(self)(min(self.factor, 8.0), self.phase))


publish(ClonesAreCapped)
