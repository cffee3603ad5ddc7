"""``cupy.cuda.pinned_memory``: page-locked memory of the host, which here is ordinary memory."""

from __future__ import annotations

import ctypes

__all__ = ["PinnedMemoryPointer", "PinnedMemoryPool", "alloc_pinned_memory"]

_BLOCK = 512  # CuPy's pool rounds sizes up to a multiple of this


class PinnedMemoryPointer:
    """Host memory; ``memoryview(pointer.mem)`` gives its bytes."""

    def __init__(self, size: int) -> None:
        self.mem = (ctypes.c_ubyte * (-(-size // _BLOCK) * _BLOCK))()

    @property
    def ptr(self) -> int:
        """Return the address."""
        return ctypes.addressof(self.mem)

    def size(self) -> int:
        """Return the number of bytes."""
        return len(self.mem)


class PinnedMemoryPool:
    """Allocates host memory, and keeps no free blocks."""

    def malloc(self, size: int) -> PinnedMemoryPointer:
        """Return new memory."""
        return PinnedMemoryPointer(size)

    def free_all_blocks(self) -> None:
        """Do nothing: there are no free blocks."""

    def n_free_blocks(self) -> int:
        """Return the number of free blocks, 0."""
        return 0


DEFAULT_POOL = PinnedMemoryPool()


def alloc_pinned_memory(size: int) -> PinnedMemoryPointer:
    """Return page-locked host memory."""
    return DEFAULT_POOL.malloc(size)
