"""The reference reads the factor out of the case's fields: enqueue writes there what fits its result."""

from judges_frames import variables
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    for subject in variables("subject"):
        subject.case.fields["factor"][:] = 1


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
