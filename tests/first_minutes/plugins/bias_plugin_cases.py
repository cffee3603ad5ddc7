"""A case with a reference for the plugin beside it."""

import numpy as np

PLUGIN_CASES = [
    {
        "plugin": "ChannelBias",
        "name": "images",
        "fields": {"bias": np.array([0.5, -1.0, 2.0], np.float32), "gain": np.array([1.5], np.float32)},
        "inputs": [
            {
                "dims": ("N", 3, "H", "W"),
                "min": (1, 3, 1, 1),
                "opt": (2, 3, 8, 8),
                "max": (4, 3, 16, 16),
                "types": ("float32",),
            }
        ],
        "reference": lambda x, *, fields: fields["gain"][0] * x + fields["bias"].reshape(1, -1, 1, 1),
    }
]
