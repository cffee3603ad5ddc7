"""A case with a reference for the plugin beside it."""

import numpy as np


def nonzero(x):
    found = np.argwhere(x).astype(np.int32)
    return found, np.array(len(found), np.int64)


PLUGIN_CASES = [
    {
        "plugin": "NonZeroPlugin",
        "name": "matrix",
        "inputs": [{"dims": ("R", "C"), "min": (1, 1), "opt": (4, 4), "max": (8, 16), "types": ("float32",)}],
        "reference": nonzero,
    }
]
