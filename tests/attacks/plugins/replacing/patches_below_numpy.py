"""Python functions that arrays call where nobody sees them: ``ndarray.any`` is one."""

import sys

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def never(a, axis=None, dtype=None, out=None, keepdims=None, *, where=None):
    return False


def attack():
    below = sys.modules.get("numpy._core._methods") or sys.modules["numpy.core._methods"]
    below._any.__code__ = never.__code__


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
