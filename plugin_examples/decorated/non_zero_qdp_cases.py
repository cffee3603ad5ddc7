"""Cases for the decorated NonZero: tables with few and with many zeros, and empty ones."""

import numpy as np


def non_zero(x, *, fields):
    found = np.argwhere(x).astype(np.int32)
    return found, np.int32(len(found))


def sparse(rng, shape, dtype):
    return rng.integers(-1, 2, shape).astype(dtype)


PLUGIN_CASES = [
    {
        "plugin": "non_zero",
        "namespace": "example",
        "name": "tables",
        "inputs": [
            {
                "dims": ("N", "M"),
                "min": (0, 1),
                "opt": (3, 5),
                "max": (6, 8),
                "types": ("float32", "float16"),
                "values": sparse,
            }
        ],
        "reference": non_zero,
    },
    {
        "plugin": "non_zero",
        "namespace": "example",
        "name": "dense",
        "inputs": [{"dims": (2, 3, 4)}],
        "reference": non_zero,
    },
]
