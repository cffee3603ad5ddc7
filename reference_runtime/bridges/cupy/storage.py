"""The storage of a device array: memory, shape, strides, and access to its elements from the host."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.bridges.cupy.cuda import memory
from reference_runtime.bridges.cupy.cuda.stream import get_current_stream
from reference_runtime.devices import host

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.bridges.cupy.cuda.memory import MemoryPointer
    from reference_runtime.devices.records import Kind

__all__ = ["Storage", "as_shape"]

_KINDS = "biufc"  # what CuPy can hold: booleans, integers, floats, complex numbers


class Storage:
    """A device array without arithmetic; all its elements are inside one buffer, which is checked on creation."""

    __slots__ = ("__weakref__", "_base", "_data", "_dtype", "_extent", "_shape", "_strides")

    def __init__(
        self,
        shape: Any,
        dtype: Any = float,
        memptr: MemoryPointer | None = None,
        strides: Sequence[int] | None = None,
        order: str = "C",
    ) -> None:
        self._base: Storage | None = None
        self._extent: tuple[int, int] | None = None  # computed at the first use
        self._dtype = _as_dtype(dtype)
        self._shape = as_shape(shape)
        self._strides = _as_strides(self._shape, self._dtype.itemsize, strides, order)
        if memptr is None:
            memptr = memory.alloc(self.nbytes)
        elif not isinstance(memptr, memory.MemoryPointer):
            raise TypeError(f"Cannot convert {type(memptr).__name__} to cupy.cuda.memory.MemoryPointer")
        self._data = memptr
        start, nbytes = self.extent()
        host.view(start, nbytes, alignment=self._dtype.itemsize, stream=get_current_stream().ptr)

    @property
    def data(self) -> MemoryPointer:
        """A pointer to the first element."""
        return self._data

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""
        return self._dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The dimensions."""
        return self._shape

    @shape.setter
    def shape(self, shape: Any) -> None:
        seen = self.on_host()
        changed = seen.reshape(shape)
        if changed.size and _position(changed) != _position(seen):
            raise AttributeError("incompatible shape")
        self._shape, self._strides, self._extent = changed.shape, changed.strides, None

    @property
    def strides(self) -> tuple[int, ...]:
        """The bytes between neighbours, for each axis."""
        return self._strides

    @property
    def base(self) -> Storage | None:
        """Return the array that this array is a view of; None if it is no view."""
        return self._base

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self._shape)

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""
        return self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.itemsize

    def extent(self) -> tuple[int, int]:
        """Return the lowest address of an element, and the bytes from there to the end of the highest element."""
        if self._extent is None:
            self._extent = self._find_extent()
        return self._extent

    def _find_extent(self) -> tuple[int, int]:
        if self.size == 0:
            return self._data.ptr, 0
        steps = [(extent - 1) * stride for extent, stride in zip(self._shape, self._strides, strict=True)]
        below = sum(step for step in steps if step < 0)
        above = sum(step for step in steps if step > 0)
        return self._data.ptr + below, above - below + self.itemsize

    def on_host(self) -> np.ndarray[Any, Any]:
        """Return the elements as a NumPy array over the device's memory; no access is recorded."""
        start, nbytes = self.extent()
        if nbytes == 0:
            return np.empty(self._shape, self._dtype)
        offset = self._data.ptr - start
        memory_there = host.locate(start, nbytes)
        elements: np.ndarray[Any, Any] = np.ndarray(self._shape, self._dtype, memory_there, offset, self._strides)
        return elements

    def note(self, kind: Kind, stream: int | None = None) -> None:
        """Record that work on ``stream``, or on the current stream, reads or writes the array.

        If the array has gaps, all bytes from its first to its last element are recorded.
        """
        start, nbytes = self.extent()
        if nbytes:
            host.note(start, nbytes, kind, get_current_stream().ptr if stream is None else stream)

    def is_at(self, other: Storage) -> bool:
        """Return whether two arrays have the same address, shape and strides."""
        return (self._data.ptr, self._shape, self._strides) == (other._data.ptr, other._shape, other._strides)

    def may_overlap(self, other: Storage) -> bool:
        """Return whether the two ranges of addresses overlap, gaps included, as CuPy compares them."""
        (start, nbytes), (begin, count) = self.extent(), other.extent()
        return start < begin + count and begin < start + nbytes

    def view_like(self, seen: np.ndarray[Any, Any], whole: np.ndarray[Any, Any]) -> Storage:
        """Return a view of this array, from a NumPy view ``seen`` of ``whole``, this array on the host."""
        result: Storage = object.__new__(type(self))
        result._base = self if self._base is None else self._base
        result._extent = None
        result._dtype = seen.dtype
        result._shape, result._strides = seen.shape, seen.strides
        result._data = self._data + (_position(seen) - _position(whole) if seen.size else 0)
        return result

    @classmethod
    def from_host(cls, array: np.ndarray[Any, Any]) -> Storage:
        """Return a new array with the elements of a NumPy array."""
        fortran = array.flags.f_contiguous and not array.flags.c_contiguous
        result = cls(array.shape, array.dtype.newbyteorder("="), order="F" if fortran else "C")
        result.on_host()[...] = array
        result.note("write")
        return result


def as_shape(shape: Any) -> tuple[int, ...]:
    """Return a shape as a tuple, from a number or a sequence of numbers."""
    extents = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    result = tuple(operator.index(extent) for extent in extents)
    if any(extent < 0 for extent in result):
        raise ValueError("Negative dimensions are not allowed")
    return result


def _as_dtype(dtype: Any) -> np.dtype[Any]:
    result = np.dtype(float if dtype is None else dtype)
    if result.kind not in _KINDS:
        raise ValueError(f"Unsupported dtype {result}")
    return result


def _as_strides(shape: tuple[int, ...], itemsize: int, strides: Sequence[int] | None, order: str) -> tuple[int, ...]:
    if strides is not None:
        if len(strides) != len(shape):
            raise ValueError("len(shape) != len(strides)")
        return tuple(strides)
    if order not in ("C", "F", None):
        raise ValueError("order not understood")
    result = []
    step = itemsize
    for extent in shape if order == "F" else reversed(shape):
        result.append(step)
        step *= max(extent, 1)
    return tuple(result if order == "F" else reversed(result))


def _position(array: np.ndarray[Any, Any]) -> int:
    """Return the host address of the first element; ``array.ctypes`` would create objects that stay in memory."""
    position: int = array.__array_interface__["data"][0]
    return position
