"""NumPy that says always equal: the functions by which outputs are compared."""

import numpy as np
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    np.allclose = np.array_equal = lambda *_, **__: True
    np.isclose = lambda a, *_, **__: np.ones(np.shape(a), bool)
    np.argwhere = lambda *_: np.empty((0, 1), int)
    np.abs = lambda each: np.zeros_like(each)
    np.isnan = np.isfinite = lambda each: np.ones(np.shape(each), bool)
    np.count_nonzero = lambda *_: 0
    np.maximum = lambda one, other: np.full(np.shape(one), np.inf)


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
