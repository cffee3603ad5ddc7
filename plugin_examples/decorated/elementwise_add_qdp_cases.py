"""Cases for the elementwise addition: dimensions that change, and a tensor of fixed dimensions."""

import numpy as np


def elementwise_add(x, *, fields):
    return x + x.dtype.type(fields["addend"])


PLUGIN_CASES = [
    {
        "plugin": "elementwise_add",
        "namespace": "example",
        "name": "images",
        "fields": {"addend": 1.5, "block_size": 64},
        "inputs": [
            {
                "dims": ("N", 3, "W"),
                "min": (0, 3, 1),
                "opt": (2, 3, 40),
                "max": (4, 3, 100),
                "types": ("float32", "float16"),
            }
        ],
        "reference": elementwise_add,
    },
    {
        "plugin": "elementwise_add",
        "namespace": "example",
        "name": "fixed",
        "fields": {"addend": np.array([-2.0]), "block_size": 7},
        "inputs": [{"dims": (2, 5)}],
        "reference": elementwise_add,
    },
]
