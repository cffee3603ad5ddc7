"""Cases for Elu: small ones, since without a GPU each thread of the kernel is one of Python's."""

import numpy as np


def elu(x, *, fields):
    alpha = np.asarray(fields.get("alpha", [1.0]), np.float32)[0]
    return np.where(x > 0, x, alpha * np.expm1(x)).astype(np.float32)


PLUGIN_CASES = [
    {
        "plugin": "Elu",
        "name": "rows",
        "inputs": [{"dims": ("N", 5), "min": (0, 5), "opt": (2, 5), "max": (8, 5)}],
        "reference": elu,
    },
    {
        "plugin": "Elu",
        "name": "small-alpha",
        "fields": {"alpha": np.array([0.25], np.float32)},
        "inputs": [{"dims": (2, 3, 4)}],
        "reference": elu,
    },
]
