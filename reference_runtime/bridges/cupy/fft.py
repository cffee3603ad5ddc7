"""``cupy.fft``: NumPy's Fourier transforms on device arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_runtime.bridges.cupy.functions import wrapped


def __getattr__(name: str) -> Any:
    function = getattr(np.fft, name, None)
    if name.startswith("_") or function is None:
        raise AttributeError(f"module 'cupy.fft' has no attribute {name!r}")
    return wrapped(function, name)
