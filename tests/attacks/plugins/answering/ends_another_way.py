"""The answer is that of the rule, but the process ends in another way afterwards."""

import os

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from harness.child import task

    task._exit = lambda status: os.abort()


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
