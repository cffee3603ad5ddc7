"""Replace ``cupy``: its arrays are in memory of the host device, and its work is recorded on streams.

The behaviour was measured on CuPy 14.2 with a GPU (``tests/support/runtime/cupy_snippets.py``). Calls that only a GPU
can run raise ``NeedsGpu``. A name that CuPy does not have does not exist here either.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from reference_runtime.bridges.cupy import cuda, fft, linalg, random
from reference_runtime.bridges.cupy.arrays import ndarray
from reference_runtime.bridges.cupy.creation import (
    array,
    asanyarray,
    asarray,
    ascontiguousarray,
    asfortranarray,
    asnumpy,
    empty,
    empty_like,
    from_dlpack,
)
from reference_runtime.bridges.cupy.cuda import is_available
from reference_runtime.bridges.cupy.cuda.memory import DEFAULT_POOL as _POOL
from reference_runtime.bridges.cupy.cuda.pinned_memory import DEFAULT_POOL as _PINNED_POOL
from reference_runtime.bridges.cupy.elementwise import ufunc
from reference_runtime.bridges.cupy.functions import copyto, offer, where
from reference_runtime.bridges.cupy.kernels import (
    ElementwiseKernel,
    RawKernel,
    RawModule,
    ReductionKernel,
    clear_memo,
    fuse,
    memoize,
)
from reference_runtime.bridges.cupy.names import NAMES as _NAMES
from reference_runtime.bridges.cupy.storage import Storage as _Storage

__all__ = [
    "ElementwiseKernel",
    "RawKernel",
    "RawModule",
    "ReductionKernel",
    "array",
    "asanyarray",
    "asarray",
    "ascontiguousarray",
    "asfortranarray",
    "asnumpy",
    "clear_memo",
    "copyto",
    "cuda",
    "empty",
    "empty_like",
    "fft",
    "from_dlpack",
    "fuse",
    "get_array_module",
    "get_default_memory_pool",
    "get_default_pinned_memory_pool",
    "is_available",
    "linalg",
    "memoize",
    "ndarray",
    "random",
    "ufunc",
    "where",
]
__version__ = "14.2.0"


def get_array_module(*args: Any) -> Any:
    """Return this module if an argument is a device array, else NumPy."""
    return sys.modules[__name__] if any(isinstance(arg, _Storage) for arg in args) else np


def get_default_memory_pool() -> cuda.MemoryPool:
    """Return the memory pool of arrays."""
    return _POOL


def get_default_pinned_memory_pool() -> cuda.PinnedMemoryPool:
    """Return the pool of page-locked memory."""
    return _PINNED_POOL


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module 'cupy' has no attribute {name!r}")
    return offer(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})


ndarray.module = sys.modules[__name__]
