"""``cupy.cuda.runtime``: the CUDA runtime calls that plugins make, on the host device.

The module is long because CUDA has many functions; each has only a few lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges.cupy.cuda import transfers
from reference_runtime.bridges.cupy.cuda.constants import *  # noqa: F403 - CuPy has them in this module
from reference_runtime.bridges.cupy.cuda.constants import (
    cudaDevAttrMaxSharedMemoryPerBlock,
    cudaDevAttrMaxThreadsPerBlock,
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrWarpSize,
    memoryTypeDevice,
    memoryTypeUnregistered,
    streamNonBlocking,
)
from reference_runtime.bridges.cupy.cuda.status import (
    INVALID_DEVICE,
    INVALID_HANDLE,
    INVALID_VALUE,
    OUT_OF_MEMORY,
    CUDARuntimeError,
)
from reference_runtime.bridges.cupy.names import CALLS_OF_THE_RUNTIME
from reference_runtime.bridges.cupy.placeholders import needs_gpu
from reference_runtime.devices import host

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.devices.records import Source

is_hip = False

_VERSION = 13000  # the emulated version: CUDA 13.0
_ATTRIBUTES = {
    cudaDevAttrWarpSize: 32,
    cudaDevAttrMultiProcessorCount: 1,
    cudaDevAttrMaxThreadsPerBlock: 1024,
    cudaDevAttrMaxSharedMemoryPerBlock: 49152,
}


class PointerAttributes(Struct, frozen=True):
    """The attributes of an address, as CUDA reports them."""

    device: int
    devicePointer: int
    hostPointer: int
    type: int


def malloc(size: int) -> int:
    """Allocate device memory; for 0 bytes, return a null pointer."""
    return _allocate(size, "malloc")


def mallocAsync(size: int, stream: int) -> int:
    """Allocate device memory in the order of a stream."""
    _stream(stream)
    return _allocate(size, "malloc_async")


def mallocManaged(size: int, flags: int = 1) -> int:
    """Allocate managed memory, which is device memory here."""
    return _allocate(size, "malloc")


def _allocate(size: int, source: Source) -> int:
    if size < 0:
        raise OverflowError("can't convert negative value to size_t")
    if size == 0:
        return 0
    try:
        return host.current_device().allocate(size, label="cudaMalloc", owner="plugin", source=source).address
    except host.OutOfDeviceMemory as error:
        raise CUDARuntimeError(OUT_OF_MEMORY) from error


def free(ptr: int) -> None:
    """Free device memory."""
    _free(ptr)


def freeAsync(ptr: int, stream: int) -> None:
    """Free device memory in the order of a stream."""
    _free(ptr, _stream(stream).handle)


def _free(ptr: int, stream: int | None = None) -> None:
    try:
        host.free(ptr, stream=stream)
    except host.DeviceFault as fault:
        raise CUDARuntimeError(INVALID_VALUE) from fault


def memcpy(dst: int, src: int, size: int, kind: int) -> None:
    """Copy on the default stream; the host waits if the source or the target is host memory."""
    transfers.copy(_integer(dst), _integer(src), size, kind, host.LEGACY)
    if transfers.involves_host(dst, src):
        host.current_device().synchronize("cudaMemcpy", _stream(host.LEGACY))


def memcpyAsync(dst: int, src: int, size: int, kind: int, stream: int) -> None:
    """Copy as work on a stream."""
    transfers.copy(_integer(dst), _integer(src), size, kind, _stream(stream).handle)


def memset(ptr: int, value: int, size: int) -> None:
    """Fill on the default stream."""
    transfers.fill(_integer(ptr), value, size, host.LEGACY)


def memsetAsync(ptr: int, value: int, size: int, stream: int) -> None:
    """Fill as work on a stream."""
    transfers.fill(_integer(ptr), value, size, _stream(stream).handle)


def memGetInfo() -> tuple[int, int]:
    """Return the free and the total bytes."""
    used = sum(buffer.nbytes for buffer in host.current_device().buffers)
    return host.TOTAL_MEMORY - used, host.TOTAL_MEMORY


def pointerGetAttributes(ptr: int) -> PointerAttributes:
    """Return the attributes of an address in device memory, or in host memory that CUDA does not know."""
    if host.is_device_address(ptr):
        return PointerAttributes(0, ptr, 0, memoryTypeDevice)
    return PointerAttributes(-2, 0, ptr, memoryTypeUnregistered)


def getDevice() -> int:
    """Return the number of the current device, 0."""
    return 0


def setDevice(device: int) -> None:
    """Choose the current device; the only device is 0."""
    if device != 0:
        raise CUDARuntimeError(INVALID_DEVICE)


def getDeviceCount() -> int:
    """Return the number of devices."""
    return 1


def getDeviceProperties(device: int) -> dict[str, Any]:
    """Return the properties of the device that do not depend on the model of a GPU."""
    setDevice(device)
    return {
        "name": b"host device",
        "totalGlobalMem": host.TOTAL_MEMORY,
        "warpSize": _ATTRIBUTES[cudaDevAttrWarpSize],
        "multiProcessorCount": _ATTRIBUTES[cudaDevAttrMultiProcessorCount],
        "maxThreadsPerBlock": _ATTRIBUTES[cudaDevAttrMaxThreadsPerBlock],
        "sharedMemPerBlock": _ATTRIBUTES[cudaDevAttrMaxSharedMemoryPerBlock],
    }


def deviceGetAttribute(attrib: int, device: int) -> int:
    """Return an attribute of the device; raise `NeedsGpu` if it depends on the model of a GPU."""
    setDevice(device)
    if attrib not in _ATTRIBUTES:
        raise NeedsGpu(f"cudaDeviceGetAttribute({attrib})")
    return _ATTRIBUTES[attrib]


def runtimeGetVersion() -> int:
    """Return the version of the CUDA runtime."""
    return _VERSION


def driverGetVersion() -> int:
    """Return the version of the CUDA driver."""
    return _VERSION


def deviceSynchronize() -> None:
    """Wait for all work on the device."""
    host.current_device().synchronize("cudaDeviceSynchronize")


def streamCreate() -> int:
    """Return a new stream that waits for the default stream and vice versa."""
    return streamCreateWithFlags(0)


def streamCreateWithFlags(flags: int) -> int:
    """Return a new stream."""
    return host.current_device().new_stream(blocking=flags != streamNonBlocking).handle


def streamCreateWithPriority(flags: int, priority: int) -> int:
    """Return a new stream; priorities have no effect on the host."""
    return streamCreateWithFlags(flags)


def streamDestroy(stream: int) -> None:
    """Forget a stream."""
    host.destroy_stream(_stream(stream).handle)


def streamGetFlags(stream: int) -> int:
    """Return the flags with which a stream was created."""
    return 0 if _stream(stream).blocking else streamNonBlocking


def streamIsCapturing(stream: int) -> bool:
    """Return whether a stream captures a graph; on the host none does."""
    _stream(stream)
    return False


def streamQuery(stream: int) -> int:
    """Return success: on the host all work is done as soon as it is submitted."""
    host.current_device().query(_stream(stream))
    return 0


def streamSynchronize(stream: int) -> None:
    """Wait for a stream."""
    host.current_device().synchronize("cudaStreamSynchronize", _stream(stream))


def streamWaitEvent(stream: int, event: int, flags: int = 0) -> None:
    """Make a stream wait for an event."""
    _stream(stream).wait_event(_event(event))


def launchHostFunc(stream: int, callback: Callable[[Any], object], arg: Any) -> None:
    """Call a function of the host in the order of a stream, here at once."""
    _stream(stream)
    callback(arg)


def streamAddCallback(stream: int, callback: Callable[[int, int, Any], object], arg: Any, flags: int = 0) -> None:
    """Call a function of the host in the order of a stream, here at once."""
    callback(_stream(stream).handle, 0, arg)


def eventCreate() -> int:
    """Return a new event."""
    return host.current_device().new_event().handle


def eventCreateWithFlags(flags: int) -> int:
    """Return a new event; the flags have no effect on the host."""
    return eventCreate()


def eventDestroy(event: int) -> None:
    """Forget an event."""
    host.destroy_event(_event(event).handle)


def eventRecord(event: int, stream: int) -> None:
    """Mark the work that a stream has so far."""
    _event(event).record(_stream(stream))


def eventQuery(event: int) -> int:
    """Return success: on the host an event has happened as soon as it is recorded."""
    _event(event)
    return 0


def eventSynchronize(event: int) -> None:
    """Wait for an event."""
    host.current_device().wait_for(_event(event))


def eventElapsedTime(start: int, end: int) -> float:
    """Return 0 as the milliseconds between two events, because the host device measures no time."""
    _event(start)
    _event(end)
    return 0.0


def __getattr__(name: str) -> Any:
    if name in CALLS_OF_THE_RUNTIME:
        return needs_gpu(f"cupy.cuda.runtime.{name}")
    raise AttributeError(f"module 'cupy.cuda.runtime' has no attribute {name!r}")


def _stream(handle: int) -> host.HostStream:
    try:
        return host.stream_at(_integer(handle))
    except host.DeviceFault as fault:
        raise CUDARuntimeError(INVALID_HANDLE) from fault


def _event(handle: int) -> host.HostEvent:
    try:
        return host.event_at(_integer(handle))
    except host.DeviceFault as fault:
        raise CUDARuntimeError(INVALID_HANDLE) from fault


def _integer(value: int) -> int:
    """Return an integer argument as CuPy converts it.

    Raises:
        TypeError: The value is no integer.
    """
    if not hasattr(value, "__index__"):
        raise TypeError("an integer is required")
    return value.__index__()
