"""Read a plugin's answer as a whole number, by its real type."""

from __future__ import annotations

from typing import Any

import numpy as np


def whole_number(value: Any) -> int | None:
    """Return an integer of Python or NumPy as a plain int, and None for any other value.

    ``isinstance`` would accept an object that has another ``__class__`` attribute, so the real type is read. A subclass
    of int may override comparisons, so the result is a plain int.
    """
    kind = type(value)
    if issubclass(kind, int):
        return int.__int__(value)
    return int(value) if issubclass(kind, np.integer) else None
