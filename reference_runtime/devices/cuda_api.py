"""CUDA as CuPy binds it (extras ``cuda12`` and ``cuda13``), and functions of the driver that CuPy does not bind.

This module loads CUDA at the first call, not before: a process that forks must not have loaded it.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import itertools
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_NOT_INITIALIZED: Final = 3


@functools.cache
def runtime() -> Any:
    """Return CuPy's module of CUDA runtime functions."""
    return importlib.import_module("cupy").cuda.runtime


@functools.cache
def driver() -> ctypes.CDLL:
    """Return the driver library.

    Raises:
        OSError: There is none.
    """
    return ctypes.CDLL("libcuda.so.1")


def is_in_use() -> bool:
    """Say whether this process has initialised CUDA; then a fork of it can do nothing with the device."""
    try:
        state = driver().cuCtxGetCurrent(ctypes.byref(ctypes.c_void_p()))
    except OSError:
        return False
    return bool(state != _NOT_INITIALIZED)


class _Handle:
    """A stream by its handle, as CUDA's stream protocol wants it."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        """Return the version of the protocol and the handle."""
        return 0, self.handle


def stream_of(handle: int) -> Any:
    """Return CuPy's stream for another owner's handle; CuPy 14 has a new name for that."""
    cuda = importlib.import_module("cupy").cuda
    if hasattr(cuda.Stream, "from_external"):
        return cuda.Stream.from_external(_Handle(handle))
    return cuda.ExternalStream(handle)


@functools.cache
def kernel_of(image: bytes, name: str) -> tuple[Any, int]:
    """Return a kernel of a compiled image, PTX or a cubin, and the number of its parameters."""
    module = importlib.import_module("cupy").cuda.function.Module()
    module.load(image)
    function = module.get_function(name)
    return function, _number_of_parameters(function)


def _number_of_parameters(function: Any) -> int:
    """Return how many parameters a kernel has; 0 if the driver, older than CUDA 12.4, does not say."""
    ask = getattr(driver(), "cuFuncGetParamInfo", None)
    if ask is None:
        return 0
    offset, nbytes = ctypes.c_size_t(), ctypes.c_size_t()
    wanted = (ctypes.c_void_p(function.ptr), ctypes.byref(offset), ctypes.byref(nbytes))
    return next(index for index in itertools.count() if ask(wanted[0], ctypes.c_size_t(index), *wanted[1:]))


def pooled() -> int:
    """Return how many bytes CuPy's memory pool has taken from CUDA."""
    nbytes: int = importlib.import_module("cupy").get_default_memory_pool().total_bytes()
    return nbytes


def leave_pool() -> None:
    """Let CuPy allocate each array from CUDA, and free it there."""
    importlib.import_module("cupy").cuda.set_allocator(None)


def pool_hook(pooling: Callable[[int], object]) -> Any:
    """Return a hook of this thread's; CuPy's pool calls it before (1) and after (-1) it allocates from CUDA."""

    class PoolHook(importlib.import_module("cupy").cuda.MemoryHook):  # type: ignore[misc] # CuPy may not be here
        name = "pytest-trt-conformance"

        def malloc_preprocess(self, **_: object) -> None:
            pooling(1)

        def malloc_postprocess(self, **_: object) -> None:
            pooling(-1)

    hook = PoolHook()
    hook.__enter__()
    return hook


def range_of(address: int) -> tuple[int, int] | None:
    """Return the beginning and the size of the allocation around ``address``; None if it is not in device memory."""
    begin, nbytes = ctypes.c_uint64(), ctypes.c_size_t()
    wrong = driver().cuMemGetAddressRange_v2(ctypes.byref(begin), ctypes.byref(nbytes), ctypes.c_uint64(address))
    return None if wrong else (begin.value, nbytes.value)
