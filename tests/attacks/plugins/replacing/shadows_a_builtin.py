"""A name in the judge's module hides one of Python's built-in functions: pairs of outputs are none."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from harness.checks.observation import comparing

    comparing.zip = lambda *_, **__: []


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
