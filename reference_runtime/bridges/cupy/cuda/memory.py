"""``cupy.cuda.memory``: the memory pool of arrays, and the choice of another allocator."""

from __future__ import annotations

import threading
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reference_runtime.bridges.cupy.cuda import runtime
from reference_runtime.bridges.cupy.cuda.pointers import (
    BaseMemory,
    ManagedMemory,
    Memory,
    MemoryPointer,
    UnownedMemory,
    as_size,
)
from reference_runtime.bridges.cupy.cuda.status import OutOfMemoryError
from reference_runtime.devices import host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference_runtime.bridges.cupy.cuda.stream import Stream

__all__ = [
    "BaseMemory",
    "ManagedMemory",
    "Memory",
    "MemoryPointer",
    "MemoryPool",
    "OutOfMemoryError",
    "PooledMemory",
    "UnownedMemory",
    "alloc",
    "get_allocator",
    "malloc_managed",
    "set_allocator",
    "using_allocator",
]

_BLOCK = 512  # CuPy's pool rounds sizes up to a multiple of this


class PooledMemory(BaseMemory):
    """Memory from a pool; it returns to the pool when this object is deleted."""

    def __init__(self, pool: MemoryPool, nbytes: int) -> None:
        size = -(-nbytes // _BLOCK) * _BLOCK
        pool.take(size)
        try:
            buffer = host.current_device().allocate(nbytes, label="CuPy's pool", owner="plugin", source="pool")
        except host.OutOfDeviceMemory as error:
            pool.forgo(size)
            raise OutOfMemoryError(
                f"Out of memory allocating {size:,} bytes (allocated so far: {pool.total_bytes():,} bytes)."
            ) from error
        super().__init__(buffer.address, size, runtime.getDevice())
        weakref.finalize(self, pool.take_back, buffer, size).atexit = False


class MemoryPool:
    """A memory pool, which on the host device only counts memory.

    Every request gets new memory, so that a use after free is detected. The counts are those of CuPy's pool: bytes in
    use, and free bytes that are kept for later requests.
    """

    def __init__(self, allocator: Callable[[int], MemoryPointer] | None = None) -> None:
        self._used = 0
        self._limit = 0
        self._free: list[int] = []

    def malloc(self, size: int) -> MemoryPointer:
        """Return new memory; a null pointer for 0 bytes."""
        if as_size(size) == 0:
            return MemoryPointer(UnownedMemory(0, 0, None, runtime.getDevice()), 0)
        return MemoryPointer(PooledMemory(self, size), 0)

    def take(self, size: int) -> None:
        """Count a block as used.

        Raises:
            OutOfMemoryError: The pool would exceed its limit.
        """
        if size in self._free:
            self._free.remove(size)
        elif self._limit and self.total_bytes() + size > self._limit:
            raise OutOfMemoryError(
                f"Out of memory allocating {size:,} bytes (allocated so far: {self.total_bytes():,} bytes, "
                f"limit set to: {self._limit:,} bytes)."
            )
        self._used += size

    def forgo(self, size: int) -> None:
        """Count a block as unused again, because the device had no memory for it."""
        self._used -= size

    def take_back(self, buffer: host.HostBuffer, size: int) -> None:
        """Free a block's memory, and count it as a free block of the pool."""
        buffer.free()
        self._used -= size
        self._free.append(size)

    def free_all_blocks(self, stream: Stream | None = None) -> None:
        """Count no free blocks any more, as if they were returned to the device."""
        self._free.clear()

    def n_free_blocks(self) -> int:
        """Return the number of free blocks."""
        return len(self._free)

    def used_bytes(self) -> int:
        """Return the bytes in use."""
        return self._used

    def free_bytes(self) -> int:
        """Return the bytes of free blocks."""
        return sum(self._free)

    def total_bytes(self) -> int:
        """Return the bytes in use and of free blocks."""
        return self._used + self.free_bytes()

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        """Set how many bytes the pool may have; 0 is no limit."""
        self._limit = size if size is not None else int((fraction or 0) * runtime.memGetInfo()[1])

    def get_limit(self) -> int:
        """Return the limit in bytes; 0 if there is none."""
        return self._limit


class _Allocators(threading.local):
    """The allocators that each thread has chosen, which replace the allocator of all threads."""

    shared: Callable[[int], MemoryPointer]

    def __init__(self) -> None:
        self.chosen: list[Callable[[int], MemoryPointer]] = []


DEFAULT_POOL = MemoryPool()
_Allocators.shared = DEFAULT_POOL.malloc
_ALLOCATORS = _Allocators()


def alloc(size: int) -> MemoryPointer:
    """Return new memory from the current allocator."""
    return get_allocator()(size)


def get_allocator() -> Callable[[int], MemoryPointer]:
    """Return the current allocator."""
    return _ALLOCATORS.chosen[-1] if _ALLOCATORS.chosen else _Allocators.shared


def set_allocator(allocator: Callable[[int], MemoryPointer] | None = None) -> None:
    """Choose the allocator of all threads; None means plain ``cudaMalloc``."""
    _Allocators.shared = allocator or _malloc


@contextmanager
def using_allocator(allocator: Callable[[int], MemoryPointer] | None = None) -> Iterator[None]:
    """Choose the allocator of this thread within the block; None means plain ``cudaMalloc``."""
    _ALLOCATORS.chosen.append(allocator or _malloc)
    try:
        yield
    finally:
        _ALLOCATORS.chosen.pop()


def malloc_managed(size: int) -> MemoryPointer:
    """Return new managed memory, which is device memory here."""
    return MemoryPointer(ManagedMemory(size), 0)


def _malloc(size: int) -> MemoryPointer:
    return MemoryPointer(Memory(size), 0)
