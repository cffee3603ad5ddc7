"""Cases for TileTo: sizes from none to many times the table, as 64-bit and as 32-bit numbers."""

import numpy as np


def tile_to(x, size, *, fields):
    rows, columns = (np.arange(wanted) % given for wanted, given in zip(size, x.shape, strict=True))
    return x[np.ix_(rows, columns)]


PLUGIN_CASES = [
    {
        "plugin": "TileTo",
        "name": "tables",
        "inputs": [
            {
                "dims": ("N", "M"),
                "min": (1, 1),
                "opt": (3, 5),
                "max": (6, 8),
                "types": ("float32", "float16"),
            },
            {"shape_input": True, "types": "int64", "min": (0, 1), "opt": (7, 5), "max": (12, 20)},
        ],
        "reference": tile_to,
    },
    {
        "plugin": "TileTo",
        "name": "crop",
        "inputs": [
            {"dims": (4, 6)},
            {"shape_input": True, "types": "int32", "dims": (2,), "min": (1, 1), "max": (4, 6)},
        ],
        "reference": tile_to,
    },
]
