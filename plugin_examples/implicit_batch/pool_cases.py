"""Cases for Pool: INT8 beside FLOAT, with and without padding, and one fixed batch for TensorRT 10."""

import numpy as np

SCALE = 0.05


def pool(x, *, fields):
    height, width = fields["kernel_size"]
    down, across = fields.get("stride", fields["kernel_size"])
    top, left = fields.get("padding", (0, 0))
    padded = np.pad(x.astype(np.float32), ((0, 0), (0, 0), (top, top), (left, left)), constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (height, width), axis=(2, 3))
    return windows[:, :, ::down, ::across].max(axis=(-2, -1))


def images(height, width):
    item = (3, height, width)
    bounds = {"min": (1, *item), "opt": (2, *item), "max": (4, *item)}
    return {"dims": ("N", *item), **bounds, "types": ("float32", "int8"), "scale": SCALE}


PLUGIN_CASES = [
    {
        "plugin": "Pool",
        "name": "halved",
        "spec": "8.6",
        "fields": {"kernel_size": np.array([2, 2], np.int32)},
        "inputs": [images(6, 8)],
        "reference": pool,
    },
    {
        "plugin": "Pool",
        "name": "padded",
        "spec": "8.6",
        "fields": {
            "kernel_size": np.array([3, 2], np.int32),
            "stride": np.array([2, 1], np.int32),
            "padding": np.array([1, 0], np.int32),
        },
        "inputs": [images(7, 5)],
        "reference": pool,
    },
    {
        "plugin": "Pool",
        "name": "one-batch",
        "spec": "10",
        "fields": {"kernel_size": np.array([2, 3], np.int32)},
        "inputs": [{"dims": (2, 3, 4, 6), "types": ("float32", "int8"), "scale": SCALE}],
        "reference": pool,
    },
]
