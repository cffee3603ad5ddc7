"""What is left: a replaced comparison, only below the rule that would see, that puts the old one back when called."""

import sys

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def is_judged():
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_name != "results_are_right_at_every_corner":
        frame = frame.f_back
    return frame is not None


def attack():
    from harness.checks.observation import comparing

    usual = comparing._difference

    def none(*_):
        comparing._difference = usual

    if is_judged():
        comparing._difference = none


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
