"""A name in the module of the rules, replaced by enqueue: far from what compares outputs."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from conformance.rules import execution

    execution.first_difference = lambda *_: None


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
