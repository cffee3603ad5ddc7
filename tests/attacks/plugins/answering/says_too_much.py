"""An exception whose text is longer than any answer can be."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    raise ValueError("x" * 2**25)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
