"""Cases for Snake: the default and a quick one; and the stand-in for its kernel where there is no GPU."""

import numpy as np


def snake(x, *, fields):
    frequency = np.asarray(fields.get("frequency", [1.0]), np.float32)[0]
    wide = x.astype(np.float64)
    return (wide + np.sin(frequency * wide) ** 2 / frequency).astype(np.float32)


def snake_kernel(launch, x, y, frequency, count):
    """Compute the kernel's result, as far as the launch has threads for it."""
    done = min(count, launch.threads)
    y[:done] = x[:done] + np.sin(frequency * x[:done]) ** 2 / frequency


PLUGIN_CASES = [
    {
        "plugin": "Snake",
        "name": "sound",
        "inputs": [{"dims": ("N", "T"), "min": (0, 1), "opt": (2, 50), "max": (4, 200)}],
        "reference": snake,
        "stand_ins": {"snake": snake_kernel},
    },
    {
        "plugin": "Snake",
        "name": "quick",
        "fields": {"frequency": np.array([2.0], np.float32)},
        "inputs": [{"dims": (2, 3, 4)}],
        "reference": snake,
        "stand_ins": {"snake": snake_kernel},
    },
]
