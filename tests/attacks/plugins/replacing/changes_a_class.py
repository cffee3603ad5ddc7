"""No value changes and no name: the tolerances of the judge get another class, which says something else."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from harness.checks.observation.comparing import DEFAULT_TOLERANCES, ByTheLargest

    class Wide(ByTheLargest):
        rtol = atol = property(lambda _: 1e30)

    for near in DEFAULT_TOLERANCES.values():
        object.__setattr__(near, "__class__", Wide)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
