"""Returns itself from ``clone``, since it holds no state that changes."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-001"

PLUGIN_CASES = SCALE_CASES


class CloneReturnsItself(Scale):
    def clone(self):
        return self


publish(CloneReturnsItself)
