"""A trace function, as debuggers have: it changes a local variable of the comparison."""

import sys

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def inside(frame, event, argument):
    if "bad" in frame.f_locals:
        frame.f_locals["bad"] = frame.f_locals["bad"] & False
    return inside


def tracer(frame, event, argument):
    return inside if frame.f_code.co_name == "_difference" else None


WrongScale.attack = staticmethod(lambda: sys.settrace(tracer))
publish(WrongScale)
