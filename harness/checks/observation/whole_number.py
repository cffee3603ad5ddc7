"""Read a plugin's answer as a whole number, by the type that it really has."""

from __future__ import annotations

from typing import Any

import numpy as np


def whole_number(value: Any) -> int | None:
    """Return the value of an integer of Python or NumPy, and None for anything else.

    ``isinstance`` believes an object that claims another ``__class__``, and a subclass of int may refuse to be
    compared. So the real type is read, and the result is a plain int of Python.
    """
    kind = type(value)
    if issubclass(kind, int):
        return int.__int__(value)
    return int(value) if issubclass(kind, np.integer) else None
