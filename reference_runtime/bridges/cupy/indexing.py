"""Convert an index of CuPy to an index of NumPy: integers in arrays wrap around, and slices are the same."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from msgspec import Struct

from reference_runtime.bridges.cupy.compute import scratch, wait
from reference_runtime.bridges.cupy.storage import Storage

__all__ = ["Index", "understand"]

_INDEX_SIZE = 8  # bytes of an index on the device


class Index(Struct, frozen=True):
    """An index for NumPy; ``gathers`` if the result is a copy of some elements, and not a view."""

    items: tuple[Any, ...]
    gathers: bool


def understand(index: Any, shape: tuple[int, ...]) -> Index:
    """Convert an index into an array of ``shape``.

    Raises:
        IndexError: An integer is out of bounds, or an array of indices has a wrong type.
    """
    items = [_on_host(item) for item in (index if isinstance(index, tuple) else (index,))]
    gathers = any(isinstance(item, np.ndarray) for item in items)
    if any(isinstance(item, np.ndarray) and item.dtype == bool for item in items):
        wait("the size of a boolean selection")
        scratch(math.prod(shape) * _INDEX_SIZE)
    axis, seen_ellipsis = 0, False
    consumed = sum(_axes(item) for item in items)
    for place, item in enumerate(items):
        if item is Ellipsis and not seen_ellipsis:
            seen_ellipsis = True
            axis += len(shape) - consumed
        elif axis < len(shape):
            items[place] = _checked(item, axis, shape[axis])
        axis += _axes(item)
    if not gathers and not seen_ellipsis:
        items.append(Ellipsis)  # so that a single element stays a view
    return Index(tuple(items), gathers)


def _on_host(item: Any) -> Any:
    if isinstance(item, Storage):
        item.note("read")
        return np.array(item.on_host())
    if isinstance(item, slice):
        bounds = (item.start, item.stop, item.step)
        if not any(isinstance(bound, Storage) for bound in bounds):
            return item
        return slice(*(int(bound.on_host()) if isinstance(bound, Storage) else bound for bound in bounds))
    if isinstance(item, (list, np.ndarray, tuple, bool, np.bool_)):
        array = np.asarray(item)
        scratch(array.size * _INDEX_SIZE)  # CuPy copies the indices to the device
        return array if array.size else array.astype(np.intp)
    if item is None or item is Ellipsis or isinstance(item, (int, np.integer)):
        return item
    return int(item)  # CuPy takes any value that converts, 0.5 included


def _axes(item: Any) -> int:
    """Return the number of axes of the array that an item of an index covers."""
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, np.ndarray) and item.dtype == bool:
        return item.ndim
    return 1


def _checked(item: Any, axis: int, extent: int) -> Any:
    """Return an item of an index: an integer is checked, and the integers of an array are wrapped around."""
    if isinstance(item, np.ndarray):
        if item.dtype == bool or not extent:
            return item
        if item.dtype.kind not in "iu":
            raise IndexError("arrays used as indices must be of integer or boolean type.")
        return item % extent
    if isinstance(item, (int, np.integer)) and not -extent <= item < extent:
        raise IndexError(f"Index {item} is out of bounds for axis {axis} with size {extent}")
    return item
