"""Cases for Swish: the default, a gentle one, and empty tensors."""

import numpy as np


def swish(x, *, fields):
    beta = np.asarray(fields.get("beta", [1.0]), np.float32)[0]
    return (x / (1 + np.exp(-beta * x.astype(np.float64)))).astype(np.float32)


PLUGIN_CASES = [
    {
        "plugin": "Swish",
        "name": "images",
        "inputs": [{"dims": ("N", 3, "W"), "min": (0, 3, 1), "opt": (2, 3, 40), "max": (4, 3, 100)}],
        "reference": swish,
    },
    {
        "plugin": "Swish",
        "name": "steep",
        "fields": {"beta": np.array([2.0], np.float32)},
        "inputs": [{"dims": (2, 5)}],
        "reference": swish,
    },
]
