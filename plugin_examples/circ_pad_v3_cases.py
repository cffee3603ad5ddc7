"""Cases for CircPad as an IPluginV3: both sides of images, pads wider than the tensor, and empty tensors."""

import numpy as np


def circ_pad(x, *, fields):
    pairs = np.asarray(fields["pads"]).reshape(-1, 2)
    for axis, (before, after) in zip(range(x.ndim - 1, -1, -1), pairs, strict=False):
        extent = x.shape[axis]
        if extent == 0:
            return np.zeros(padded_shape(x.shape, pairs), x.dtype)
        x = x.take(np.arange(-before, extent + after) % extent, axis)
    return x


def padded_shape(shape, pairs):
    sums = [0] * (len(shape) - len(pairs)) + [sum(pair) for pair in reversed(pairs)]
    return tuple(extent + padding for extent, padding in zip(shape, sums, strict=True))


TYPES = ("float32", "float16")

PLUGIN_CASES = [
    {
        "plugin": "CircPad",
        "version": "2",
        "name": "both-sides",
        "fields": {"pads": np.array([1, 2, 3, 0], np.int32)},
        "inputs": [
            {
                "dims": ("N", 3, "H", "W"),
                "min": (1, 3, 3, 3),
                "opt": (2, 3, 8, 8),
                "max": (4, 3, 16, 16),
                "types": TYPES,
            }
        ],
        "reference": circ_pad,
    },
    {
        "plugin": "CircPad",
        "version": "2",
        "name": "wider-than-the-tensor",
        "fields": {"pads": np.array([5, 7], np.int32)},
        "inputs": [{"dims": ("N", "W"), "min": (0, 1), "opt": (2, 3), "max": (4, 6), "types": TYPES}],
        "reference": circ_pad,
    },
    {
        "plugin": "CircPad",
        "version": "2",
        "name": "nothing-to-pad",
        "fields": {"pads": np.array([0, 0], np.int32)},
        "inputs": [{"dims": (2, 3)}],
        "reference": circ_pad,
    },
]
