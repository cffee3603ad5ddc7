"""The pointers of plugin fields: the address of a Python buffer, its size, and whether it still exists.

Theory. A PluginField keeps only an address and a number of elements. It has no strides, no size in bytes, and no claim
on the memory. The Python object that the user holds keeps the buffer alive. A copy of the field in a collection does
not. So every field here has a `Pointer`. Only the object that the user holds has the `Loan` that keeps the buffer
alive. When the loan and the buffer's owner are gone, a read returns bytes of the value `POISON`. The genuine bindings
return the current content of the memory. An owner that allows no weak references (``bytes``) is kept and counts as
alive.
"""

from __future__ import annotations

import ctypes
import math
import weakref
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

POISON = 0xA5
_FULL_READ_ONLY = 0x11C


class _PyBuffer(ctypes.Structure):
    _fields_ = (
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    )


def _address(view: memoryview) -> int:
    """Return the address of a buffer's first element."""
    buffer = _PyBuffer()
    interface = ctypes.pythonapi
    interface.PyObject_GetBuffer(ctypes.py_object(view), ctypes.byref(buffer), _FULL_READ_ONLY)
    address = buffer.buf or 0
    interface.PyBuffer_Release(ctypes.byref(buffer))
    return int(address)


def _owner(exporter: Any) -> Any:
    """Return the owner of the memory: the last of a chain of views."""
    while True:
        if isinstance(exporter, np.ndarray) and exporter.base is not None:
            exporter = exporter.base
        elif isinstance(exporter, memoryview) and exporter.obj is not None:
            exporter = exporter.obj
        else:
            return exporter


def _end(owner: Any, view: memoryview, address: int) -> int:
    """Return the address behind the last byte that may be read from ``address`` on."""
    try:
        whole = memoryview(owner)
    except (TypeError, ValueError):
        return address + view.nbytes
    return _address(whole) + whole.nbytes


class Loan(Struct, frozen=True, eq=False, weakref=True):
    """Keeps a buffer alive while the user holds the field over it."""

    exporter: Any


class Source(Struct, frozen=True):
    """The properties of a buffer when a field was made over it; the field itself does not have them."""

    format: str
    itemsize: int
    count: int
    nbytes: int
    contiguous: bool


class Pointer(Struct, frozen=True, eq=False):
    """An address, the number of bytes behind it, and the objects that keep them alive."""

    address: int
    readable: int
    source: Source
    holders: tuple[Callable[[], Any], ...]

    @property
    def alive(self) -> bool:
        """Return whether the buffer still exists."""
        return any(holder() is not None for holder in self.holders)

    def read(self, nbytes: int) -> bytes:
        """Return bytes from the address on; `POISON` for freed memory and beyond the end."""
        keeping = [holder() for holder in self.holders]
        there = min(nbytes, self.readable) if any(one is not None for one in keeping) else 0
        return ctypes.string_at(self.address, there) + bytes([POISON]) * (nbytes - there)


_KEPT: ContextVar[list[Any] | None] = ContextVar("kept_buffers", default=None)


@contextmanager
def keeping(kept: list[Any]) -> Iterator[None]:
    """Keep alive, in ``kept``, each buffer over which a field is made in the block."""
    token = _KEPT.set(kept)
    try:
        yield
    finally:
        _KEPT.reset(token)


def lend(exporter: Any) -> tuple[Loan, Pointer]:
    """Return a loan of a buffer and a pointer to it; raise TypeError for an object without a buffer."""
    view = memoryview(exporter)
    kept = _KEPT.get()
    if kept is not None:
        kept.append(exporter)
    address = _address(view)
    owner = _owner(exporter)
    loan = Loan(exporter)
    source = Source(view.format, view.itemsize, math.prod(view.shape or ()), view.nbytes, view.c_contiguous)
    pointer = Pointer(
        address, max(_end(owner, view, address) - address, 0), source, (weakref.ref(loan), _weakly(owner))
    )
    return loan, pointer


def _weakly(owner: Any) -> Callable[[], Any]:
    try:
        reference: Callable[[], Any] = weakref.ref(owner)
    except TypeError:
        return lambda: owner
    return reference
