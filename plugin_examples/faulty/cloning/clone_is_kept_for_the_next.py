"""Keeps the clone that it has made, and returns the same clone from the next call."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-001"

PLUGIN_CASES = SCALE_CASES


class CloneIsKeptForTheNext(Scale):
    made = None

    def clone(self):
        if self.made is None:
            self.made = super().clone()
        return self.made


publish(CloneIsKeptForTheNext)
