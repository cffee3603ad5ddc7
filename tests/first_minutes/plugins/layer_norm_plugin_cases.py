"""A case with a reference for the plugin beside it."""

import numpy as np


def layer_norm(x, *, fields):
    wide = x.astype(np.float64)
    mean = wide.mean(axis=-1, keepdims=True)
    spread = np.sqrt(((wide - mean) ** 2).mean(axis=-1, keepdims=True) + fields["epsilon"][0])
    return ((wide - mean) / spread * fields["gamma"] + fields["beta"]).astype(x.dtype)


PLUGIN_CASES = [
    {
        "plugin": "LayerNorm",
        "name": "tokens",
        "fields": {
            "gamma": np.linspace(0.5, 1.5, 16, dtype=np.float32),
            "beta": np.linspace(-1.0, 1.0, 16, dtype=np.float32),
            "epsilon": np.array([1e-3], np.float32),
        },
        "inputs": [{"dims": ("N", 16), "min": (1, 16), "opt": (4, 16), "max": (8, 16), "types": ("float32",)}],
        "reference": layer_norm,
    }
]
