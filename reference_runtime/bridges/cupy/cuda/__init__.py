"""``cupy.cuda``: memory, streams and the device, with the names that plugins use."""

from __future__ import annotations

from typing import Any

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges.cupy.cuda import (
    device,
    memory,
    nvtx,
    pinned_memory,
    runtime,
    stream,
)
from reference_runtime.bridges.cupy.cuda.device import Device, get_device_id
from reference_runtime.bridges.cupy.cuda.memory import (
    BaseMemory,
    ManagedMemory,
    Memory,
    MemoryPointer,
    MemoryPool,
    UnownedMemory,
    alloc,
    get_allocator,
    malloc_managed,
    set_allocator,
    using_allocator,
)
from reference_runtime.bridges.cupy.cuda.pinned_memory import (
    PinnedMemoryPointer,
    PinnedMemoryPool,
    alloc_pinned_memory,
)
from reference_runtime.bridges.cupy.cuda.stream import (
    Event,
    ExternalStream,
    Stream,
    get_current_stream,
    get_elapsed_time,
)

__all__ = [
    "BaseMemory",
    "Device",
    "Event",
    "ExternalStream",
    "ManagedMemory",
    "Memory",
    "MemoryPointer",
    "MemoryPool",
    "PinnedMemoryPointer",
    "PinnedMemoryPool",
    "Stream",
    "UnownedMemory",
    "alloc",
    "alloc_pinned_memory",
    "device",
    "get_allocator",
    "get_current_stream",
    "get_device_id",
    "get_elapsed_time",
    "is_available",
    "malloc_managed",
    "memory",
    "nvtx",
    "pinned_memory",
    "runtime",
    "set_allocator",
    "stream",
    "using_allocator",
]

# ruff: noqa: SIM905 - a list of many literals reads worse than its words
_ONLY_ON_A_GPU = frozenset(
    "CFunctionAllocator Function Graph MemoryAsync MemoryAsyncPool MemoryHook Module PinnedMemory "
    "PythonFunctionAllocator compiler cub driver function graph malloc_async memory_hook memory_hooks "
    "nvrtc profile profiler set_pinned_memory_allocator texture thrust".split()
)


def is_available() -> bool:
    """Return True: the host device is available."""
    return True


def __getattr__(name: str) -> Any:
    if name in _ONLY_ON_A_GPU:
        raise NeedsGpu(f"cupy.cuda.{name}")
    raise AttributeError(f"module 'cupy.cuda' has no attribute {name!r}")
