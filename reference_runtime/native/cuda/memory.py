"""Allocate, copy and fill memory of the host device for C++: ``cudaMalloc``, ``cudaMemcpyAsync`` and others."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

from reference_runtime.bridges.cupy.cuda import runtime
from reference_runtime.native.cuda.calls import store

_PINNED: Final[dict[int, Any]] = {}
_ATTRIBUTES: Final = ctypes.c_int * 2
_UNREGISTERED, _DEVICE = 0, 2


def _pin(where: int, size: int, _flags: int = 0) -> None:
    held = (ctypes.c_ubyte * max(size, 1))()
    _PINNED[ctypes.addressof(held)] = held
    store(where, ctypes.addressof(held))


def _unpin(address: int) -> None:
    _PINNED.pop(address, None)


def _copy_rows(*values: int) -> None:
    target, target_pitch, source, source_pitch, width, height, direction, *stream = values
    for row in range(height):
        rows = target + row * target_pitch, source + row * source_pitch, width, direction
        runtime.memcpyAsync(*rows, *stream) if stream else runtime.memcpy(*rows)


def _describe(where: int, address: int) -> None:
    attributes = runtime.pointerGetAttributes(address)
    kinds = _ATTRIBUTES.from_address(where)
    kinds[0], kinds[1] = (_DEVICE, 0) if attributes.devicePointer else (_UNREGISTERED, 0)
    store(where + 8, attributes.devicePointer)
    store(where + 16, 0 if attributes.devicePointer else address)


FUNCTIONS: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "cudaMalloc": ("ipz", lambda where, size: store(where, runtime.malloc(size))),
    "cudaMallocAsync": ("ipzp", lambda where, size, stream: store(where, runtime.mallocAsync(size, stream))),
    "cudaMallocManaged": ("ipzu", lambda where, size, _: store(where, runtime.malloc(size))),
    "cudaFree": ("ip", runtime.free),
    "cudaFreeAsync": ("ipp", runtime.freeAsync),
    "cudaMallocHost": ("ipz", _pin),
    "cudaHostAlloc": ("ipzu", _pin),
    "cudaFreeHost": ("ip", _unpin),
    "cudaMemcpy": ("ippzi", runtime.memcpy),
    "cudaMemcpyAsync": ("ippzip", runtime.memcpyAsync),
    "cudaMemcpy2D": ("ipzpzzzi", _copy_rows),
    "cudaMemcpy2DAsync": ("ipzpzzzip", _copy_rows),
    "cudaMemset": ("ipiz", runtime.memset),
    "cudaMemsetAsync": ("ipizp", runtime.memsetAsync),
    "cudaPointerGetAttributes": ("ipp", _describe),
}
