"""Hold back the work of a stream, so that other work that does not wait for the stream becomes visible.

Theory. A kernel that spins on a flag in pinned memory is the first work on the stream. All work ordered after it waits;
all other work runs now. The kernel ends by itself after 0.2 s, so that a plugin that waits for its stream does not
deadlock. ``is_over`` is then True, and the run shows neither a defect nor its absence.
"""

from __future__ import annotations

import functools
import importlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reference_runtime.devices.cuda_api import runtime, stream_of
from reference_runtime.devices.cuda_calls import quietly

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from reference_runtime.devices.base import Buffer

_SOURCE: Final = r"""
extern "C" __device__ long long now() {
    long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}
extern "C" __global__ void hold(volatile int* flags, long long most) {
    long long begun = now();
    while (!flags[0] && now() - begun < most) {}
    flags[1] = 1;
}
extern "C" __global__ void spin(long long most) {
    long long begun = now();
    while (now() - begun < most) {}
}
"""
_MOST_NS: Final = 200_000_000
_MEANWHILE_NS: Final = 3_000_000
_DEVICE_TO_DEVICE: Final = 3
_TO_HOST: Final = 2


class Hold:
    """Holds one stream, while all other streams run.

    The first use of a kernel or of memory may wait for the device. So every kernel and copy runs once before that.
    """

    def __init__(self, stream: int, late: Sequence[Buffer], meanwhile: int) -> None:
        """Hold a stream, and fill the ``late`` buffers with the byte ``meanwhile``.

        The stream writes their content back as its first work after the hold.
        """
        cupy = _cupy()
        self._stream = stream
        self._pinned = cupy.cuda.alloc_pinned_memory(2 * np.dtype(np.int32).itemsize)
        self._flags = np.frombuffer(self._pinned, np.int32, 2)
        self._flags[:] = 0
        self._beside = cupy.cuda.Stream(non_blocking=True)
        self._copies = [cupy.empty(max(buffer.nbytes, 1), np.uint8) for buffer in late]
        self._launch("spin", self._beside.ptr, np.int64(0))
        self._launch("hold", self._beside.ptr, np.uint64(self._pinned.ptr), np.int64(0))
        for buffer, copy in zip(late, self._copies, strict=True):
            runtime().memcpyAsync(copy.data.ptr, buffer.address, buffer.nbytes, _DEVICE_TO_DEVICE, self._beside.ptr)
            runtime().memsetAsync(buffer.address, meanwhile, buffer.nbytes, self._beside.ptr)
            self.peek(buffer)
        self._beside.synchronize()
        self._flags[:] = 0
        self._launch("hold", stream, np.uint64(self._pinned.ptr), np.int64(_MOST_NS))
        for buffer, copy in zip(late, self._copies, strict=True):
            runtime().memcpyAsync(buffer.address, copy.data.ptr, buffer.nbytes, _DEVICE_TO_DEVICE, stream)

    @property
    def is_over(self) -> bool:
        """Return whether the stream runs again."""
        return bool(self._flags[1])

    def let_others_work(self) -> None:
        """Wait 3 ms of the device's clock, in which work on other streams can run."""
        self._launch("spin", self._beside.ptr, np.int64(_MEANWHILE_NS))
        self._beside.synchronize()

    def peek(self, buffer: Buffer) -> npt.NDArray[np.uint8]:
        """Return the content of a buffer while the stream is held."""
        content = np.empty(buffer.nbytes, np.uint8)
        if buffer.nbytes:
            runtime().memcpyAsync(content.ctypes.data, buffer.address, buffer.nbytes, _TO_HOST, self._beside.ptr)
            self._beside.synchronize()
        return content

    def end(self) -> None:
        """Let the stream run again, and wait for it."""
        self._flags[0] = 1
        runtime().streamSynchronize(self._stream)

    def _launch(self, name: str, stream: int, *arguments: np.generic) -> None:
        with stream_of(stream):
            _kernel(name)((1,), (1,), arguments)


class Latch:
    """Holds streams repeatedly at low cost, without copies and allocations."""

    def __init__(self) -> None:
        """Load the kernel, because loading would wait for a held stream."""
        self._pinned = _cupy().cuda.alloc_pinned_memory(2 * np.dtype(np.int32).itemsize)
        self._flags = np.frombuffer(self._pinned, np.int32, 2)
        beside = _cupy().cuda.Stream(non_blocking=True)
        self._launch(beside.ptr, 0)
        beside.synchronize()

    @property
    def is_over(self) -> bool:
        """Return whether the stream runs again."""
        return bool(self._flags[1])

    @contextmanager
    def holding(self, stream: int) -> Iterator[Latch]:
        """Hold a stream during the block, and wait for it afterwards."""
        self._flags[:] = 0
        self._launch(stream, _MOST_NS)
        try:
            yield self
        finally:
            self._flags[0] = 1
            runtime().streamSynchronize(stream)

    def _launch(self, stream: int, most: int) -> None:
        with _cupy().cuda.ExternalStream(stream):
            _kernel("hold")((1,), (1,), (np.uint64(self._pinned.ptr), np.int64(most)))


@contextmanager
def holding(stream: int, late: Sequence[Buffer], meanwhile: int) -> Iterator[Hold]:
    """Hold a non-blocking stream during the block; see :class:`Hold`."""
    with quietly():
        hold = Hold(stream, late, meanwhile)
    try:
        yield hold
    finally:
        with quietly():
            hold.end()


def _cupy() -> Any:
    return importlib.import_module("cupy")


@functools.cache
def _kernel(name: str) -> Any:
    """Return a kernel, which is loaded once, because loading waits for the device."""
    module = _cupy().RawModule(code=_SOURCE)
    return module.get_function(name)
