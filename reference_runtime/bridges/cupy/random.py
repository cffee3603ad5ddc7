"""``cupy.random``: random numbers on the device, from a separate generator of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_runtime.bridges.cupy.arrays import ndarray

_STATE = np.random.RandomState()  # CuPy's functions are those of the legacy generator


def __getattr__(name: str) -> Any:
    function = getattr(_STATE, name, None)
    if name.startswith("_") or function is None:
        raise AttributeError(f"module 'cupy.random' has no attribute {name!r}")

    def draw(*args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return None if result is None else ndarray.from_host(np.asarray(result, dtype))

    return draw
