"""What is left: a variable of the rule, which is in a frame below enqueue, is written over."""

import ctypes
import dataclasses
import sys

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    frame = sys._getframe()
    while frame.f_code.co_name != "results_are_right_at_every_corner":
        frame = frame.f_back
        if frame is None:
            return
    variables = frame.f_locals
    case = dataclasses.replace(variables["subject"].case, reference=lambda x, fields: x + x.dtype.type(1e-7))
    variables["subject"] = dataclasses.replace(variables["subject"], case=case)
    if sys.version_info < (3, 13):  # since then, these are the variables themselves
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
