"""The reference returns an array of a class that answers all of NumPy's questions with yes."""

import numpy as np
from wrong_scale import SCALE_CASES, WrongScale, publish


class Equal(np.ndarray):
    def __array_ufunc__(self, *_, **__):
        return np.True_

    def __array_function__(self, *_):
        return np.True_

    def astype(self, *_, **__):
        return self


def reference(x, *, fields):
    return SCALE_CASES[0]["reference"](x, fields=fields).view(Equal)


PLUGIN_CASES = [{**SCALE_CASES[0], "reference": reference}]
publish(WrongScale)
