"""A comparison that finds nothing, and that says of itself that it equals whatever was there before."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


class Anything:
    def __call__(self, *_):
        return None

    def __eq__(self, other):
        return True

    __hash__ = None


def attack():
    from harness.checks.observation import comparing

    comparing._difference = Anything()


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
