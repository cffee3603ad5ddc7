"""Assign to a part of an array: copy on the device, fill with one number, or scatter values."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_runtime.bridges.cupy.compute import scratch
from reference_runtime.bridges.cupy.storage import Storage

__all__ = ["copy", "scatter"]


def copy(part: Storage, value: Any) -> None:
    """Copy an array on the device, or one number, to a part of an array.

    Raises:
        ValueError: The value is an array of the host, or its shape does not fit.
    """
    if isinstance(value, Storage):
        _copy_on_device(part, value)
        return
    if np.asarray(value).ndim:
        raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
    part.on_host()[...] = value
    part.note("write")


def scatter(array: Storage, items: tuple[Any, ...], value: Any) -> None:
    """Set the elements at some indices; the values may be on the device or on the host."""
    new = value.on_host() if isinstance(value, Storage) else np.asarray(value)
    target = array.on_host()
    _check_shapes(new.shape, target[items].shape)
    if isinstance(value, Storage):
        value.note("read")
    else:
        scratch(new.nbytes)  # CuPy copies the values to the device first
    target[items] = new
    array.note("write")


def _copy_on_device(part: Storage, value: Storage) -> None:
    _check_shapes(value.shape, part.shape)
    if part.is_at(value):
        return
    alike = (part.shape, part.strides, part.dtype) == (value.shape, value.strides, value.dtype)
    if part.may_overlap(value) and not (alike and part.on_host().flags.c_contiguous):
        scratch(value.nbytes)  # CuPy copies the source first
    value.note("read")
    part.on_host()[...] = value.on_host()
    part.note("write")


def _check_shapes(source: tuple[int, ...], target: tuple[int, ...]) -> None:
    if source == target:
        return
    try:
        np.broadcast_to(np.empty(source, bool), target)
    except ValueError:
        raise ValueError(f"operands could not be broadcast together with shapes {source} {target}") from None
