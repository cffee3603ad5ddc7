"""Refuses to change its parameter once it is made."""

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "SER-008"

PLUGIN_CASES = SCALE_CASES


class Frozen(Scale):
    def __setattr__(self, name, value):
        if name in {"factor", "stored_factor"} and name in vars(self):
            raise AttributeError(f"{name} cannot be changed")
        super().__setattr__(name, value)


publish(Frozen)
