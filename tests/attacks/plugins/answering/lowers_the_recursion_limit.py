"""A judge that cannot call any function: so few calls are left when enqueue returns."""

import sys

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(depth + 3)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
