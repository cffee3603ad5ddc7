"""Cases for Softplus: the default, and a steep one; and the stand-in for its kernel where there is no GPU."""

import numpy as np


def softplus(x, *, fields):
    beta = np.asarray(fields.get("beta", [1.0]), np.float32)[0]
    return np.logaddexp(0, beta * x.astype(np.float64)).astype(np.float32) / beta


def softplus_kernel(launch, x, y, beta, count):
    """Compute the kernel's result, as far as the launch has threads for it."""
    done = min(count, launch.threads)
    y[:done] = np.logaddexp(np.float32(0), beta * x[:done]) / beta


PLUGIN_CASES = [
    {
        "plugin": "Softplus",
        "name": "images",
        "inputs": [{"dims": ("N", 3, "W"), "min": (0, 3, 1), "opt": (2, 3, 40), "max": (4, 3, 100)}],
        "reference": softplus,
        "stand_ins": {"softplus": softplus_kernel},
    },
    {
        "plugin": "Softplus",
        "name": "steep",
        "fields": {"beta": np.array([8.0], np.float32)},
        "inputs": [{"dims": (2, 5)}],
        "reference": softplus,
        "stand_ins": {"softplus": softplus_kernel},
    },
]
