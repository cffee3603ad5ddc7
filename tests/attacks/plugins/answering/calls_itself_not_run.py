"""An exception of the harness, by which a rule says that it cannot judge, raised by enqueue."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from harness.contract.finding import NotRun

    raise NotRun("no machine has a device for it")


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
