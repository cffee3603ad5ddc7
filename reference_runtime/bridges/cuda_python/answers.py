"""Return results as cuda-python does: a tuple that begins with the status. Errors of CUDA are not raised."""

from __future__ import annotations

import enum
import functools
from typing import TYPE_CHECKING, Any

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges.cupy.cuda.status import CUDARuntimeError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CUresult", "answering", "cudaError_t", "missing", "nvrtcResult"]


class CUresult(enum.IntEnum):
    """The status of a call of the driver."""

    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_VALUE = 1
    CUDA_ERROR_OUT_OF_MEMORY = 2
    CUDA_ERROR_INVALID_DEVICE = 101
    CUDA_ERROR_INVALID_IMAGE = 200
    CUDA_ERROR_INVALID_HANDLE = 400
    CUDA_ERROR_NOT_READY = 600
    CUDA_ERROR_UNKNOWN = 999

    @classmethod
    def _missing_(cls, value: object) -> CUresult:
        return cls.CUDA_ERROR_UNKNOWN


class cudaError_t(enum.IntEnum):
    """The status of a call of the runtime."""

    cudaSuccess = 0
    cudaErrorInvalidValue = 1
    cudaErrorMemoryAllocation = 2
    cudaErrorInvalidMemcpyDirection = 21
    cudaErrorInvalidDevice = 101
    cudaErrorInvalidResourceHandle = 400
    cudaErrorNotReady = 600
    cudaErrorUnknown = 999

    @classmethod
    def _missing_(cls, value: object) -> cudaError_t:
        return cls.cudaErrorUnknown


class nvrtcResult(enum.IntEnum):
    """The status of a call of the compiler."""

    NVRTC_SUCCESS = 0
    NVRTC_ERROR_INVALID_INPUT = 3
    NVRTC_ERROR_INVALID_PROGRAM = 4


def answering(status: type[enum.IntEnum], outputs: int = 0) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator: the function returns its status and ``outputs`` results, which are None after an error."""

    def decorator(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
            try:
                result = function(*args, **kwargs)
            except CUDARuntimeError as error:
                return (status(error.status), *[None] * outputs)
            return (status(0), *(result if outputs > 1 else [result] * outputs))

        return call

    return decorator


def missing(module: str, name: str) -> Any:
    """Return a replacement for a function that needs a GPU; a call of it raises `NeedsGpu`.

    Raises:
        AttributeError: The name does not look like a function of CUDA.
    """
    if not name.startswith(("cu", "nvrtc")) or not any(map(str.isupper, name)):
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    def call(*_args: Any, **_kwargs: Any) -> Any:
        raise NeedsGpu(f"{module}.{name}")

    return call
