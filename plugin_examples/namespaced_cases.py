"""Cases for acme's PixelShuffle: twice and three times the size, and a factor of one, which changes nothing."""

import numpy as np

TYPES = ("float32", "float16")


def pixel_shuffle(x, *, fields):
    factor = int(fields["upscale_factor"][0])
    batch, channels, height, width = x.shape
    squares = x.reshape(batch, channels // factor**2, factor, factor, height, width)
    return squares.transpose(0, 1, 4, 2, 5, 3).reshape(batch, channels // factor**2, height * factor, width * factor)


PLUGIN_CASES = [
    {
        "plugin": "PixelShuffle",
        "namespace": "acme",
        "name": "twice",
        "fields": {"upscale_factor": np.array([2], np.int32)},
        "inputs": [
            {
                "dims": ("N", 12, "H", "W"),
                "min": (0, 12, 1, 1),
                "opt": (1, 12, 4, 5),
                "max": (3, 12, 9, 9),
                "types": TYPES,
            }
        ],
        "reference": pixel_shuffle,
    },
    {
        "plugin": "PixelShuffle",
        "namespace": "acme",
        "name": "three-times",
        "fields": {"upscale_factor": np.array([3], np.int32)},
        "inputs": [{"dims": (2, 9, 2, 3), "types": TYPES}],
        "reference": pixel_shuffle,
    },
    {
        "plugin": "PixelShuffle",
        "namespace": "acme",
        "name": "once",
        "fields": {"upscale_factor": np.array([1], np.int32)},
        "inputs": [{"dims": ("N", 2, 3, "W"), "min": (1, 2, 3, 1), "opt": (2, 2, 3, 4), "max": (4, 2, 3, 8)}],
        "reference": pixel_shuffle,
    },
]
