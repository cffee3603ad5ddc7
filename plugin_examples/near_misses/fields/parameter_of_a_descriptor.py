"""Has a descriptor for its parameter, which checks what is assigned."""

import math

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CRE-010"

PLUGIN_CASES = SCALE_CASES


class Positive:
    def __set_name__(self, owner, name):
        self.place = f"_{name}"

    def __get__(self, plugin, owner):
        return self if plugin is None else vars(plugin)[self.place]

    def __set__(self, plugin, value):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no factor")
        vars(plugin)[self.place] = value


class Described(Scale):
    factor = Positive()


publish(Described)
