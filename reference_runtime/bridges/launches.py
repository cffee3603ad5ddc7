"""Launches of kernels on the host: memory by exact bounds, what was read and written, and the order of streams.

What is written is found by comparison. Of memory that a kernel leaves as it was, a read is recorded.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.devices import host

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Memory", "launched", "memory_from"]


@dataclass(frozen=True)
class Memory:
    """Memory that a kernel was given: where it begins, and its elements on the host."""

    address: int
    nbytes: int
    elements: np.ndarray[Any, Any]


def memory_from(address: int, dtype: np.dtype[Any] | None) -> Memory:
    """Return the memory from ``address`` to the end of its buffer; of a type that NumPy has not, its bytes.

    Raises:
        DeviceFault: No living buffer is there, or the address is not aligned; a null pointer has no elements.
    """
    kind = np.dtype(np.uint8) if dtype is None else dtype
    nbytes = host.bytes_from(address) if address else 0
    nbytes -= nbytes % kind.itemsize
    found = host.locate(address, nbytes, alignment=kind.itemsize)
    return Memory(address, nbytes, np.ndarray((nbytes // kind.itemsize,), kind, found))


@contextmanager
def launched(memories: Sequence[Memory], stream: int) -> Iterator[None]:
    """Record, as one kernel on ``stream``, what is done to memory within."""
    host.stream_at(stream)
    before = [bytes(host.locate(each.address, each.nbytes)) for each in memories]
    yield
    for each, old in zip(memories, before, strict=True):
        changed = bytes(host.locate(each.address, each.nbytes)) != old
        host.note(each.address, each.nbytes, "write" if changed else "read", stream)
