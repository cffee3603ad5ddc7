"""Cases for LReLU_V2: batches with an implicit batch dimension, and one fixed batch for TensorRT 10."""

import numpy as np

TYPES = ("float32", "float16")


def leaky_relu(x, *, fields):
    slope = np.asarray(fields.get("neg_slope", [0.1]), np.float32)[0]
    wide = x.astype(np.float32)
    return np.where(wide > 0, wide, slope * wide).astype(x.dtype)


PLUGIN_CASES = [
    {
        "plugin": "LReLU_V2",
        "name": "batches",
        "spec": "8.6",
        "inputs": [
            {"dims": ("N", 3, 4, 5), "min": (1, 3, 4, 5), "opt": (4, 3, 4, 5), "max": (8, 3, 4, 5), "types": TYPES}
        ],
        "reference": leaky_relu,
    },
    {
        "plugin": "LReLU_V2",
        "name": "steep",
        "spec": "8.6",
        "fields": {"neg_slope": np.array([1.5], np.float32)},
        "inputs": [{"dims": ("N", 7), "min": (1, 7), "max": (3, 7), "types": TYPES}],
        "reference": leaky_relu,
    },
    {
        "plugin": "LReLU_V2",
        "name": "one-batch",
        "spec": "10",
        "inputs": [{"dims": (2, 3, 4), "types": TYPES}],
        "reference": leaky_relu,
    },
]
