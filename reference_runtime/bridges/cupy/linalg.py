"""``cupy.linalg``: NumPy's linear algebra on device arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_runtime.bridges.cupy.functions import wrapped

LinAlgError = np.linalg.LinAlgError


def __getattr__(name: str) -> Any:
    function = getattr(np.linalg, name, None)
    if name.startswith("_") or function is None:
        raise AttributeError(f"module 'cupy.linalg' has no attribute {name!r}")
    return wrapped(function, name)
