"""The same, done by enqueue: before the import ended nothing could be seen."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from harness.checks.observation import comparing

    comparing._difference = lambda *_: None


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
