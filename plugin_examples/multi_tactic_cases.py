"""Cases for Polynomial: a cubic with both tactics, one of even degree, and a straight line, which has one tactic."""

import numpy as np


def polynomial(x, *, fields):
    wide, total = x.astype(np.float32), np.zeros(x.shape, np.float32)
    for coefficient in reversed(fields["coefficients"]):
        total = total * wide + coefficient
    return total.astype(x.dtype)


ROWS = {
    "dims": ("N", "W"),
    "min": (0, 1),
    "opt": (4, 8),
    "max": (8, 16),
    "types": ("float32", "float16"),
    "values": (-2.0, 2.0),
}

PLUGIN_CASES = [
    {
        "plugin": "Polynomial",
        "name": "cubic",
        "fields": {"coefficients": np.array([1.0, -0.5, 0.25, 0.125], np.float32)},
        "inputs": [ROWS],
        "reference": polynomial,
    },
    {
        "plugin": "Polynomial",
        "name": "even-degree",
        "fields": {"coefficients": np.array([0.5, 1.0, -0.25], np.float32)},
        "inputs": [{"dims": (2, 3, 4), "values": (-2.0, 2.0)}],
        "reference": polynomial,
    },
    {
        "plugin": "Polynomial",
        "name": "straight-line",
        "fields": {"coefficients": np.array([2.0, 3.0], np.float32)},
        "inputs": [ROWS],
        "reference": polynomial,
    },
]
