"""``cupy.cuda.pinned_memory``: page-locked memory of the host, which here is ordinary memory."""

from __future__ import annotations

import ctypes

__all__ = ["PinnedMemoryPointer", "PinnedMemoryPool", "alloc_pinned_memory"]

_BLOCK = 512  # what CuPy's pool rounds sizes up to


class PinnedMemoryPointer:
    """A piece of memory of the host, with the buffer protocol through ``memoryview(pointer.mem)``."""

    def __init__(self, size: int) -> None:
        self.mem = (ctypes.c_ubyte * (-(-size // _BLOCK) * _BLOCK))()

    @property
    def ptr(self) -> int:
        """The address."""
        return ctypes.addressof(self.mem)

    def size(self) -> int:
        """Return the number of bytes."""
        return len(self.mem)


class PinnedMemoryPool:
    """Hands out memory of the host and holds none back."""

    def malloc(self, size: int) -> PinnedMemoryPointer:
        """Return new memory."""
        return PinnedMemoryPointer(size)

    def free_all_blocks(self) -> None:
        """Do nothing: no block is held."""

    def n_free_blocks(self) -> int:
        """Return the number of held blocks."""
        return 0


DEFAULT_POOL = PinnedMemoryPool()


def alloc_pinned_memory(size: int) -> PinnedMemoryPointer:
    """Return memory of the host that a device could read."""
    return DEFAULT_POOL.malloc(size)
