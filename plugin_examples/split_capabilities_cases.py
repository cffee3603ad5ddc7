"""Cases for ChannelNorm: images of three channels, sequences with dynamic dimensions, and a single channel."""

import numpy as np

TYPES = ("float32", "float16")


def channel_norm(x, *, fields):
    mean, deviation = (np.asarray(fields[name], np.float32) for name in ("mean", "deviation"))
    shape = (1, -1) + (1,) * (x.ndim - 2)
    return ((x.astype(np.float32) - mean.reshape(shape)) / deviation.reshape(shape)).astype(x.dtype)


PLUGIN_CASES = [
    {
        "plugin": "ChannelNorm",
        "name": "images",
        "fields": {
            "mean": np.array([0.485, 0.456, 0.406], np.float32),
            "deviation": np.array([0.229, 0.224, 0.225], np.float32),
        },
        "inputs": [
            {
                "dims": ("N", 3, "H", "W"),
                "min": (1, 3, 1, 1),
                "opt": (2, 3, 6, 8),
                "max": (4, 3, 12, 12),
                "types": TYPES,
            }
        ],
        "reference": channel_norm,
    },
    {
        "plugin": "ChannelNorm",
        "name": "sequences",
        "fields": {"mean": np.array([1, -2], np.float32), "deviation": np.array([0.5, 4], np.float32)},
        "inputs": [{"dims": ("N", 2, "T"), "min": (0, 2, 1), "opt": (3, 2, 7), "max": (6, 2, 30), "types": TYPES}],
        "reference": channel_norm,
    },
    {
        "plugin": "ChannelNorm",
        "name": "one-channel",
        "fields": {"mean": np.array([0.25], np.float32), "deviation": np.array([2], np.float32)},
        "inputs": [{"dims": (5, 1), "types": TYPES}],
        "reference": channel_norm,
    },
]
