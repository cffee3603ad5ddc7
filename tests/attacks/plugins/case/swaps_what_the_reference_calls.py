"""The reference stays as it is; enqueue replaces a function that it calls."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def scaled(x, factor):
    return (x * factor).astype(x.dtype)


def reference(x, *, fields):
    return scaled(x, fields["factor"][0])


def attack():
    globals()["scaled"] = lambda x, _: x.copy()


PLUGIN_CASES[0]["reference"] = reference


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
