"""A case with a reference for the plugin beside it."""

import numpy as np


def gelu(x, *, fields):
    wide = x.astype(np.float64)
    if fields["approximate"][0]:
        gate = 0.5 * (1.0 + np.tanh(0.7978845608 * (wide + 0.044715 * wide**3)))
    else:
        gate = 1.0 / (1.0 + np.exp(-1.702 * wide))
    return (fields["scale"][0] * wide * gate).astype(x.dtype)


PLUGIN_CASES = [
    {
        "plugin": "GeluPlugin",
        "name": "tokens",
        "fields": {"approximate": np.array([1], np.int32), "scale": np.array([1.5], np.float32)},
        "inputs": [
            {
                "dims": ("B", "S", 64),
                "min": (1, 1, 64),
                "opt": (2, 8, 64),
                "max": (4, 32, 64),
                "types": ("float32", "float16"),
            }
        ],
        "reference": gelu,
    }
]
