"""Cases for ToneCurve: a gamma curve on images, an inversion of two points, and a curve that is not monotonous."""

import numpy as np

TYPES = ("float32", "float16")


def tone_curve(x, *, fields):
    curve = np.asarray(fields["curve"], np.float32)
    position = np.fmin(np.fmax(x.astype(np.float32), 0), 1)
    return np.interp(position, np.linspace(0, 1, curve.size), curve).astype(x.dtype)


PLUGIN_CASES = [
    {
        "plugin": "ToneCurve",
        "name": "gamma",
        "fields": {"curve": np.linspace(0, 1, 33, dtype=np.float32) ** np.float32(0.5)},
        "inputs": [
            {
                "dims": ("N", 3, "H", "W"),
                "min": (0, 3, 1, 1),
                "opt": (1, 3, 6, 8),
                "max": (4, 3, 12, 12),
                "types": TYPES,
            }
        ],
        "reference": tone_curve,
    },
    {
        "plugin": "ToneCurve",
        "name": "inversion",
        "fields": {"curve": np.array([1, 0], np.float32)},
        "inputs": [{"dims": ("N", 7), "min": (1, 7), "opt": (5, 7), "max": (20, 7), "types": TYPES}],
        "reference": tone_curve,
    },
    {
        "plugin": "ToneCurve",
        "name": "solarization",
        "fields": {"curve": np.array([0.25, 1.5, -0.5, 0.75], np.float32)},
        "inputs": [{"dims": (3, 5), "types": TYPES}],
        "reference": tone_curve,
    },
]
