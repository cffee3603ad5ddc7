"""Cases for LeakyRelu as an IPluginV3: the default slope, another slope, and a slope above one."""

import numpy as np

TYPES = ("float32", "float16")


def leaky_relu(x, *, fields):
    slope = np.asarray(fields.get("negative_slope", [0.01]), np.float32)[0]
    wide = x.astype(np.float32)
    return np.where(wide > 0, wide, slope * wide).astype(x.dtype)


PLUGIN_CASES = [
    {
        "plugin": "LeakyRelu",
        "version": "2",
        "name": "default-slope",
        "inputs": [{"dims": ("N", 16), "min": (0, 16), "opt": (4, 16), "max": (32, 16), "types": TYPES}],
        "reference": leaky_relu,
    },
    {
        "plugin": "LeakyRelu",
        "version": "2",
        "name": "images",
        "fields": {"negative_slope": np.array([0.25], np.float32)},
        "inputs": [
            {
                "dims": ("N", 3, "H", "W"),
                "min": (1, 3, 1, 1),
                "opt": (2, 3, 8, 8),
                "max": (4, 3, 16, 16),
                "types": TYPES,
            }
        ],
        "reference": leaky_relu,
    },
    {
        "plugin": "LeakyRelu",
        "version": "2",
        "name": "steep",
        "fields": {"negative_slope": np.array([1.5], np.float32)},
        "inputs": [{"dims": (2, 5), "types": TYPES}],
        "reference": leaky_relu,
    },
]
