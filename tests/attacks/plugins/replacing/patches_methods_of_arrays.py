"""A method of NumPy's arrays, which no module holds: the garbage collector leads to the class's own dictionary."""

import ctypes
import gc

import numpy as np
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    (methods,) = gc.get_referents(np.ndarray.__dict__)
    methods["any"] = lambda *_, **__: False
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(np.ndarray))


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
