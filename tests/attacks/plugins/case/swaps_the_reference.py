"""Another reference in the case, which the garbage collector finds: one with the plugin's error."""

import gc

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    for each in gc.get_objects():
        if type(each).__name__ == "Case":
            object.__setattr__(each, "reference", lambda x, fields: x + x.dtype.type(1e-7))


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
