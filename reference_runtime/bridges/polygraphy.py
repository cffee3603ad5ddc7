"""Make Polygraphy's wrapper of CUDA use the memory and the streams of the host device.

Polygraphy loads the CUDA runtime with ctypes and calls seven functions of it. `HostRuntime` replaces that library, so
that Polygraphy's runners, buffers and streams work unmodified.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bridges.cupy.cuda import runtime
from reference_runtime.bridges.cupy.cuda.status import CUDARuntimeError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

__all__ = ["HostRuntime", "adapt"]


def adapt(module: ModuleType) -> None:
    """Make ``polygraphy.cuda.cuda``, just imported, use `HostRuntime` as its CUDA runtime."""

    def __init__(self: Any) -> None:
        self.handle = HostRuntime()

    module.Cuda.__init__ = __init__


class HostRuntime:
    """The functions of ``libcudart.so``: the arguments are ctypes objects, and the result is a status."""

    def cudaStreamCreate(self, out: Any) -> int:
        """Create a stream."""
        return _status(lambda: _put(out, runtime.streamCreate()))

    def cudaStreamSynchronize(self, stream: Any) -> int:
        """Wait for a stream."""
        return _status(lambda: runtime.streamSynchronize(_int(stream)))

    def cudaStreamDestroy(self, stream: Any) -> int:
        """Forget a stream."""
        return _status(lambda: runtime.streamDestroy(_int(stream)))

    def cudaMalloc(self, out: Any, nbytes: Any) -> int:
        """Allocate device memory."""
        return _status(lambda: _put(out, runtime.malloc(_int(nbytes))))

    def cudaFree(self, address: Any) -> int:
        """Free device memory."""
        return _status(lambda: runtime.free(_int(address)))

    def cudaMemcpy(self, target: Any, source: Any, nbytes: Any, kind: Any) -> int:
        """Copy on the default stream."""
        return _status(lambda: runtime.memcpy(_int(target), _int(source), _int(nbytes), _int(kind)))

    def cudaMemcpyAsync(self, target: Any, source: Any, nbytes: Any, kind: Any, stream: Any) -> int:
        """Copy as work on a stream."""
        return _status(lambda: runtime.memcpyAsync(*map(_int, (target, source, nbytes, kind, stream))))


def _int(value: Any) -> int:
    """Return the value of a ctypes object or a number; 0 for a null pointer."""
    return int(getattr(value, "value", value) or 0)


def _put(out: Any, value: int) -> None:
    """Write a result to the object that ``ctypes.byref`` refers to."""
    out._obj.value = value  # noqa: SLF001 - ctypes has no other name for it


def _status(call: Callable[[], object]) -> int:
    try:
        call()
    except CUDARuntimeError as error:
        return error.status
    return 0
