"""Cases for BroadcastAdd: one item that the plugin reads for the whole batch, the same copied, and two batches."""

import numpy as np

TYPES = ("float32", "float16")
BATCH = {"dims": ("N", 2, 5), "min": (1, 2, 5), "opt": (3, 2, 5), "max": (6, 2, 5), "types": TYPES}
ITEM = {"dims": (1, 2, 5), "types": TYPES}


def add(x, y, *, fields):
    return x + y


PLUGIN_CASES = [
    {"plugin": "BroadcastAdd", "name": "item-shared", "spec": "8.6", "inputs": [BATCH, ITEM], "reference": add},
    {
        "plugin": "BroadcastAdd",
        "name": "item-copied",
        "spec": "8.6",
        "fields": {"copy": np.array([1], np.int32)},
        "inputs": [ITEM, BATCH],
        "reference": add,
    },
    {"plugin": "BroadcastAdd", "name": "batches", "spec": "8.6", "inputs": [BATCH, BATCH], "reference": add},
    {
        "plugin": "BroadcastAdd",
        "name": "one-batch",
        "spec": "10",
        "inputs": [{"dims": (3, 4), "types": TYPES}] * 2,
        "reference": add,
    },
]
