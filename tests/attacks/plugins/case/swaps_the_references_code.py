"""Other code in the case's reference, which is where the plugin can name it."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    PLUGIN_CASES[0]["reference"].__code__ = (lambda x, *, fields: x + x.dtype.type(1e-7)).__code__


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
