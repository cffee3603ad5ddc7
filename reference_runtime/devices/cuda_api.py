"""Call CUDA through CuPy (extras ``cuda12`` and ``cuda13``), and functions of the driver that CuPy does not bind.

CUDA is loaded at the first call, not at the import: a process that forks must not have loaded it.
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
        OSError: No driver is installed.
    """
    return ctypes.CDLL("libcuda.so.1")


def is_in_use() -> bool:
    """Return whether this process has initialised CUDA; a process that it forks then cannot use the device."""
    try:
        state = driver().cuCtxGetCurrent(ctypes.byref(ctypes.c_void_p()))
    except OSError:
        return False
    return bool(state != _NOT_INITIALIZED)


class _Handle:
    """A stream's handle as an object of CUDA's stream protocol."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        """Return the version of the protocol and the handle."""
        return 0, self.handle


def stream_of(handle: int) -> Any:
    """Return a CuPy stream for a handle that CuPy does not own; CuPy 14 has a new method."""
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
    """Return how many parameters a kernel has; 0 if the driver is older than CUDA 12.4, which cannot answer."""
    ask = getattr(driver(), "cuFuncGetParamInfo", None)
    if ask is None:
        return 0
    offset, nbytes = ctypes.c_size_t(), ctypes.c_size_t()
    handle, results = ctypes.c_void_p(function.ptr), (ctypes.byref(offset), ctypes.byref(nbytes))
    return next(index for index in itertools.count() if ask(handle, ctypes.c_size_t(index), *results))


def pooled() -> int:
    """Return how many bytes CuPy's memory pool has allocated from CUDA."""
    nbytes: int = importlib.import_module("cupy").get_default_memory_pool().total_bytes()
    return nbytes


def leave_pool() -> None:
    """Make CuPy allocate each array with ``cudaMalloc``, without its memory pool."""
    importlib.import_module("cupy").cuda.set_allocator(None)


def pool_hook(pooling: Callable[[int], object]) -> Any:
    """Install a hook in this thread, and return it.

    It calls ``pooling`` with 1 before CuPy's pool allocates from CUDA, and with -1 afterwards.
    """

    class PoolHook(importlib.import_module("cupy").cuda.MemoryHook):  # type: ignore[misc] # CuPy may not be installed
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
