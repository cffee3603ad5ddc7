"""What a rule has found is in a frame below enqueue: a trace function of that frame clears it before it is counted."""

import sys

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def clear(frame, event, argument):
    findings = frame.f_locals["findings"]
    findings[:] = findings[:1] * len(findings)
    return clear


def attack():
    frame = sys._getframe()
    while frame is not None and "findings" not in frame.f_locals:
        frame = frame.f_back
    if frame is not None:
        frame.f_trace = clear
        sys.settrace(lambda *_: None)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
