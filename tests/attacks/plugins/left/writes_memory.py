"""What is left: memory, written past Python. The float that is the tolerance becomes another number."""

import ctypes

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

VALUE = object.__basicsize__


def attack():
    from harness.checks.observation.comparing import DEFAULT_TOLERANCES

    for near in DEFAULT_TOLERANCES.values():
        ctypes.c_double.from_address(id(near.atol) + VALUE).value = 1e30


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
