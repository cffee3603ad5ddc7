"""The tolerances that hold where a case names none: data that no function's code shows."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from harness.checks.observation.comparing import DEFAULT_TOLERANCES

    for near in DEFAULT_TOLERANCES.values():
        object.__setattr__(near, "atol", 1e30)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
