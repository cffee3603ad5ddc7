"""The errors of CUDA's functions, with CuPy's messages for the status codes."""

from __future__ import annotations

from typing import Final

__all__ = [
    "INVALID_DEVICE",
    "INVALID_DIRECTION",
    "INVALID_HANDLE",
    "INVALID_VALUE",
    "OUT_OF_MEMORY",
    "CUDARuntimeError",
    "OutOfMemoryError",
]

INVALID_VALUE: Final = 1
OUT_OF_MEMORY: Final = 2
INVALID_DIRECTION: Final = 21
INVALID_DEVICE: Final = 101
INVALID_HANDLE: Final = 400

_TEXTS: Final = {
    INVALID_VALUE: "cudaErrorInvalidValue: invalid argument",
    OUT_OF_MEMORY: "cudaErrorMemoryAllocation: out of memory",
    INVALID_DIRECTION: "cudaErrorInvalidMemcpyDirection: invalid copy direction for memcpy",
    INVALID_DEVICE: "cudaErrorInvalidDevice: invalid device ordinal",
    INVALID_HANDLE: "cudaErrorInvalidResourceHandle: invalid resource handle",
}


class CUDARuntimeError(RuntimeError):
    """A CUDA runtime call failed with ``status``."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(_TEXTS.get(status, f"CUDA error {status}"))


CUDARuntimeError.__module__ = "cupy_backends.cuda.api.runtime"


class OutOfMemoryError(MemoryError):
    """A memory pool reached its limit, or the device has no memory left."""


OutOfMemoryError.__module__ = "cupy.cuda.memory"
