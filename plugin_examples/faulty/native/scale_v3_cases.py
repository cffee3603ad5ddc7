"""Cases of the faulty plugins of version 3 in C++: rows and images, with factors that nothing else computes."""

import numpy as np


def scaled(x, *, fields):
    return x * fields["factor"][0]


PLUGIN_CASES = [
    {
        "plugin": "FaultyScale",
        "version": "3",
        "name": "rows",
        "fields": {"factor": np.array([2.5], np.float32)},
        "inputs": [{"dims": ("N", 4), "min": (1, 4), "opt": (3, 4), "max": (6, 4), "types": ("float32",)}],
        "reference": scaled,
    },
]
