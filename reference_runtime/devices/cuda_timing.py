"""Time work on a CUDA device with events, graphs and a held stream, and provide kernels to compare with.

Theory. Work that the host submits while a stream is held is ready when the stream is released. So gaps between launches
are not measured. Events have a resolution of about half a microsecond. So a graph repeats short work many times between
two events. The same measurement of an empty kernel gives the cost of a launch.
"""

from __future__ import annotations

import functools
import importlib
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reference_runtime.devices.cuda_api import runtime
from reference_runtime.devices.cuda_hold import Latch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_SOURCE: Final = r"""
extern "C" __global__ void empty() {}
extern "C" __global__ void turn_over(uint4* memory, long long count) {
    long long step = (long long) gridDim.x * blockDim.x;
    for (long long i = (long long) blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        uint4 value = memory[i];
        value.x += 1;
        memory[i] = value;
    }
}
"""
_RELAXED: Final = 2  # cudaStreamCaptureModeRelaxed: allocations are allowed
_L2_BYTES: Final = 38  # cudaDevAttrL2CacheSize
_DEVICE_TO_DEVICE: Final = 3
_LEGACY: Final = 0
_BYTES_OF_UINT4: Final = 16
_THREADS, _BLOCKS = 256, 1024
_MILLI: Final = 1e-3


class CaptureError(RuntimeError):
    """Work cannot be captured into a graph; the argument says why."""


class HeldTooLongError(RuntimeError):
    """A held stream ran again before its release."""

    def __init__(self) -> None:
        super().__init__("enqueue waits for its stream, or takes the host longer than a stream can be held (0.2 s)")


def timed(stream: int, works: Sequence[Callable[[], object]], before: Callable[[], object] = bool) -> list[float]:
    """Return the seconds that each work takes on a stream; all are submitted while the stream is held.

    ``before`` is called before each work, and is not timed.

    Raises:
        HeldTooLongError: The stream ran again too early.
    """
    events = [(_Event(), _Event()) for _ in works]
    with _latch().holding(stream) as hold:
        for work, (begin, end) in zip(works, events, strict=True):
            before()
            runtime().eventRecord(begin.handle, stream)
            work()
            runtime().eventRecord(end.handle, stream)
        is_late = hold.is_over
    if is_late:
        raise HeldTooLongError
    return [runtime().eventElapsedTime(begin.handle, end.handle) * _MILLI for begin, end in events]


class Graph:
    """Work that was captured from a stream; a single launch repeats all of it."""

    def __init__(self, stream: int, work: Callable[[], object]) -> None:
        """Capture the work that ``work`` submits to a stream.

        Raises:
            CaptureError: The work contains an operation that no graph can hold.
        """
        runtime().streamBeginCapture(stream, _RELAXED)
        why = ""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - the capture must be ended after any error
            why = f"{type(error).__name__}: {error}"
        try:
            graph = runtime().streamEndCapture(stream)
        except Exception as error:
            raise CaptureError(why or str(error)) from error
        if why:
            runtime().graphDestroy(graph)
            raise CaptureError(why)
        self._stream = stream
        self._whole: int = runtime().graphInstantiate(graph)
        runtime().graphDestroy(graph)
        weakref.finalize(self, runtime().graphExecDestroy, self._whole).atexit = False

    def warm_up(self) -> None:
        """Run the graph once and wait: the first run allocates memory, which is impossible on a held stream."""
        self.launch()
        runtime().streamSynchronize(self._stream)

    def launch(self) -> None:
        """Run the graph on the stream that it was captured from."""
        runtime().graphLaunch(self._whole, self._stream)


class Scratch:
    """Memory of the harness, used to replace the content of the cache, and as source and target of copies."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes
        self._address: int = runtime().malloc(nbytes)
        runtime().memset(self._address, 0, nbytes)
        self.turn_over(_LEGACY)  # loads the kernel, because loading would wait for a held stream
        empty(_LEGACY)
        runtime().deviceSynchronize()

    def turn_over(self, stream: int) -> None:
        """Read and write all of the memory, so that it replaces the content of the cache."""
        count = np.int64(self.nbytes // _BYTES_OF_UINT4)
        _launch("turn_over", stream, np.uint64(self._address), count, blocks=_BLOCKS, threads=_THREADS)

    def copy_half(self, stream: int) -> None:
        """Copy the first half of the memory to the second half."""
        half = self.nbytes // 2
        runtime().memcpyAsync(self._address + half, self._address, half, _DEVICE_TO_DEVICE, stream)

    def free(self) -> None:
        """Free the memory."""
        runtime().free(self._address)

    @classmethod
    @contextmanager
    def lent(cls, nbytes: int) -> Iterator[Scratch]:
        """Provide memory and free it afterwards."""
        scratch = cls(nbytes)
        try:
            yield scratch
        finally:
            runtime().deviceSynchronize()
            scratch.free()


def empty(stream: int) -> None:
    """Launch a kernel that does nothing."""
    _launch("empty", stream)


def l2_bytes() -> int:
    """Return the size of the cache that all of the device shares."""
    nbytes: int = runtime().deviceGetAttribute(_L2_BYTES, runtime().getDevice())
    return nbytes


def device_name() -> str:
    """Return the name of the device."""
    name: bytes = runtime().getDeviceProperties(runtime().getDevice())["name"]
    return name.decode()


class _Event:
    """A CUDA event, which is destroyed with the last reference to this object."""

    def __init__(self) -> None:
        self.handle: int = runtime().eventCreate()
        weakref.finalize(self, runtime().eventDestroy, self.handle).atexit = False


@functools.cache
def _latch() -> Latch:
    return Latch()


def _launch(name: str, stream: int, *arguments: np.generic, blocks: int = 1, threads: int = 1) -> None:
    with _cupy().cuda.ExternalStream(stream):
        _kernel(name)((blocks,), (threads,), arguments)


def _cupy() -> Any:
    return importlib.import_module("cupy")


@functools.cache
def _kernel(name: str) -> Any:
    return _cupy().RawModule(code=_SOURCE).get_function(name)
