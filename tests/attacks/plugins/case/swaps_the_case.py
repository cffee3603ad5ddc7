"""Another case in the judge's own subject, which is in the frames below enqueue: one that has the plugin's error."""

import dataclasses

from judges_frames import variables
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    for subject in variables("subject"):
        case = dataclasses.replace(subject.case, reference=lambda x, fields: x + x.dtype.type(1e-7))
        object.__setattr__(subject, "case", case)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
