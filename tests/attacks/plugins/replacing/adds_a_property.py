"""A property that was not there takes the place of what each tolerance holds."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from harness.cases.case import Tolerance

    Tolerance.atol = property(lambda self: 1e30, lambda self, value: None)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
