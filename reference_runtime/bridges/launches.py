"""Record the accesses of a kernel that runs on the host, as work on a stream.

The content of memory before and after the kernel is compared. Changed memory was written; other memory counts as read.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from reference_runtime.devices import host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["Memory", "launched", "memory_from", "tell_of_interpreters"]


class _Listener:
    """The listener for interpreted kernels."""

    listener: Callable[[str], None] | None = None


def tell_of_interpreters(listener: Callable[[str], None]) -> None:
    """Set the function that receives an interpreter's name before each kernel that it runs, which may take long."""
    _Listener.listener = listener


class Memory(Struct, frozen=True):
    """Memory that a kernel receives: its address, its size, and its elements on the host."""

    address: int
    nbytes: int
    elements: np.ndarray[Any, Any]


def memory_from(address: int, dtype: np.dtype[Any] | None) -> Memory:
    """Return the memory from ``address`` to the end of its buffer, as elements of ``dtype``; None means bytes.

    The memory of a null pointer has no elements.

    Raises:
        DeviceFault: There is no living buffer, or the address is not aligned.
    """
    kind = np.dtype(np.uint8) if dtype is None else dtype
    nbytes = host.bytes_from(address) if address else 0
    nbytes -= nbytes % kind.itemsize
    memory = host.locate(address, nbytes, alignment=kind.itemsize)
    return Memory(address, nbytes, np.ndarray((nbytes // kind.itemsize,), kind, memory))


@contextmanager
def launched(memories: Sequence[Memory], stream: int, interpreter: str = "") -> Iterator[None]:
    """Record the reads and writes of the block as one kernel on ``stream``.

    ``interpreter`` is the name of the interpreter that runs the kernel; empty for other kernels.
    """
    if interpreter and _Listener.listener is not None:
        _Listener.listener(interpreter)
    host.stream_at(stream)
    before = [bytes(host.locate(each.address, each.nbytes)) for each in memories]
    yield
    for each, old in zip(memories, before, strict=True):
        changed = bytes(host.locate(each.address, each.nbytes)) != old
        host.note(each.address, each.nbytes, "write" if changed else "read", stream)
