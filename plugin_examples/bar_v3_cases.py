"""Cases for Bar as an IPluginV3: rows of a table, empty ones included, and images."""

import numpy as np


def join_and_copy(first, second, *, fields):
    return np.concatenate([first, second]), first


ALL_TYPES = ("float32", "float16", "int32")

PLUGIN_CASES = [
    {
        "plugin": "Bar",
        "version": "2",
        "name": "rows",
        "inputs": [
            {"dims": ("N", 4), "min": (0, 4), "opt": (3, 4), "max": (8, 4), "types": ALL_TYPES},
            {"dims": ("M", 4), "min": (0, 4), "opt": (2, 4), "max": (5, 4), "types": ALL_TYPES},
        ],
        "reference": join_and_copy,
    },
    {
        "plugin": "Bar",
        "version": "2",
        "name": "images",
        "inputs": [
            {"dims": ("N", 3, "H", "W"), "min": (1, 3, 1, 1), "opt": (2, 3, 4, 6), "max": (4, 3, 8, 8)},
            {"dims": ("M", 3, "H", "W"), "min": (1, 3, 1, 1), "opt": (1, 3, 4, 6), "max": (2, 3, 8, 8)},
        ],
        "reference": join_and_copy,
    },
]
