"""Cases for the compiled leaky ReLU: dimensions that change, and fixed ones; and the stand-in for its kernel."""

import numpy as np


def leaky_relu(x, *, fields):
    return np.where(x > 0, x, x * np.float32(fields["slope"]))


def kernel(slope):
    """Return a function with the kernel's result, as far as the launch has threads for it."""

    def leaky_relu(launch, x, count, y):
        done = min(count, launch.threads)
        y[:done] = np.where(x[:done] > 0, x[:done], x[:done] * np.float32(slope))

    return leaky_relu


PLUGIN_CASES = [
    {
        "plugin": "leaky_relu",
        "namespace": "example",
        "name": "images",
        "fields": {"slope": 0.1},
        "inputs": [{"dims": ("N", 3, "W"), "min": (0, 3, 1), "opt": (2, 3, 40), "max": (4, 3, 100)}],
        "reference": leaky_relu,
        "stand_ins": {"leaky_relu": kernel(0.1)},
    },
    {
        "plugin": "leaky_relu",
        "namespace": "example",
        "name": "fixed",
        "fields": {"slope": 0.25},
        "inputs": [{"dims": (2, 5)}],
        "reference": leaky_relu,
        "stand_ins": {"leaky_relu": kernel(0.25)},
    },
]
