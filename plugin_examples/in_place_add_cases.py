"""Cases for InPlaceAdd: updates of the first rows, of rows in the middle, and none at all."""

import numpy as np

TYPES = ("float32", "float16")


def first_row(fields):
    return int(np.asarray(fields.get("first_row", [0]))[0])


def add_rows(table, update, *, fields):
    result, first = table.copy(), first_row(fields)
    result[first : first + len(update)] += update
    return result


def fits(table, update, *, fields):
    return first_row(fields) + update[0] <= table[0]


PLUGIN_CASES = [
    {
        "plugin": "InPlaceAdd",
        "name": "from-the-start",
        "inputs": [
            {"dims": ("N", "W"), "min": (0, 1), "opt": (8, 4), "max": (16, 8), "types": TYPES},
            {"dims": ("M", "W"), "min": (0, 1), "opt": (2, 4), "max": (16, 8), "types": TYPES},
        ],
        "valid": fits,
        "reference": add_rows,
    },
    {
        "plugin": "InPlaceAdd",
        "name": "in-the-middle",
        "fields": {"first_row": np.array([3], np.int32)},
        "inputs": [
            {"dims": ("N", 5), "min": (6, 5), "opt": (8, 5), "max": (32, 5), "types": TYPES},
            {"dims": ("M", 5), "min": (1, 5), "opt": (2, 5), "max": (3, 5), "types": TYPES},
        ],
        "valid": fits,
        "reference": add_rows,
    },
    {
        "plugin": "InPlaceAdd",
        "name": "one-row",
        "fields": {"first_row": np.array([1], np.int32)},
        "inputs": [{"dims": (6, 3), "types": TYPES}, {"dims": (1, 3), "types": TYPES}],
        "reference": add_rows,
    },
]
