"""Cases for HardShrink: the default, another bound, and empty tensors."""

import numpy as np


def hard_shrink(x, *, fields):
    threshold = np.asarray(fields.get("threshold", [0.5]), np.float32)[0]
    return np.where(np.abs(x) > threshold, x, np.float32(0))


PLUGIN_CASES = [
    {
        "plugin": "HardShrink",
        "name": "images",
        "inputs": [{"dims": ("N", 3, "W"), "min": (0, 3, 1), "opt": (2, 3, 40), "max": (4, 3, 100)}],
        "reference": hard_shrink,
    },
    {
        "plugin": "HardShrink",
        "name": "wide",
        "fields": {"threshold": np.array([2.0], np.float32)},
        "inputs": [{"dims": (2, 5)}],
        "reference": hard_shrink,
    },
]
