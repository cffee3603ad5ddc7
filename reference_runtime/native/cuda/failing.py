"""Let single calls of CUDA's runtime fail, to see whether a plugin reads their results."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, Final

from reference_runtime.bridges.cupy.cuda.status import INVALID_VALUE, OUT_OF_MEMORY, CUDARuntimeError
from reference_runtime.devices.host import DeviceFault
from reference_runtime.native.cuda.calls import take_last_error

_NO_KERNEL_IMAGE: Final = 209
_ILLEGAL_ADDRESS: Final = 700
_STATUS: Final = {
    **dict.fromkeys(("cudaLaunchKernel", "__cudaLaunchKernel"), _NO_KERNEL_IMAGE),
    **dict.fromkeys(("cudaMalloc", "cudaMallocAsync", "cudaMallocManaged"), OUT_OF_MEMORY),
    **dict.fromkeys(("cudaMallocHost", "cudaHostAlloc"), OUT_OF_MEMORY),
    **dict.fromkeys(("cudaMemcpy", "cudaMemcpyAsync", "cudaMemcpy2D", "cudaMemcpy2DAsync"), INVALID_VALUE),
    **dict.fromkeys(("cudaMemset", "cudaMemsetAsync"), INVALID_VALUE),
}
"""The functions that allocate, copy, fill or compute, with the status of a call that fails."""
_DECIDES: Final[list[Callable[[str], bool]]] = []


@contextlib.contextmanager
def failing(decides: Callable[[str], bool]) -> Iterator[None]:
    """Ask ``decides`` before each of these calls, with the function's name: a true answer makes the call fail.

    A launch with an address without memory returns a status here. It is no misuse: its allocation may have failed.
    """
    take_last_error()  # that of an earlier life
    _DECIDES.append(decides)
    try:
        yield
    finally:
        _DECIDES.remove(decides)


def able_to_fail(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with this name so that `failing` can make its calls fail."""
    status = _STATUS.get(name)
    if status is None:
        return function

    def call(*arguments: Any) -> Any:
        if not _DECIDES:
            return function(*arguments)
        if _DECIDES[-1](name):
            raise CUDARuntimeError(status)
        try:
            return function(*arguments)
        except DeviceFault as fault:
            raise CUDARuntimeError(_ILLEGAL_ADDRESS) from fault

    return call
