"""``cuda.bindings.runtime``: memory, copies and streams, implemented by the replacement of CuPy's ``runtime``."""

from __future__ import annotations

import enum
from typing import Any

from reference_runtime.bridges.cuda_python.answers import answering, cudaError_t, missing
from reference_runtime.bridges.cuda_python.handles import Handle, as_int, host_address
from reference_runtime.bridges.cupy.cuda import runtime

__all__ = ["attribute", "cudaDeviceAttr", "cudaError_t", "cudaEvent_t", "cudaMemcpyKind", "cudaStream_t"]

_CAPABILITY = {75: 8, 76: 0}  # plugins pass it to compilers; nothing is compiled here


class cudaDeviceAttr(enum.IntEnum):
    """The attributes of the host device."""

    cudaDevAttrMaxThreadsPerBlock = 1
    cudaDevAttrMaxSharedMemoryPerBlock = 8
    cudaDevAttrWarpSize = 10
    cudaDevAttrMultiProcessorCount = 16
    cudaDevAttrComputeCapabilityMajor = 75
    cudaDevAttrComputeCapabilityMinor = 76


class cudaMemcpyKind(enum.IntEnum):
    """The direction of a copy."""

    cudaMemcpyHostToHost = 0
    cudaMemcpyHostToDevice = 1
    cudaMemcpyDeviceToHost = 2
    cudaMemcpyDeviceToDevice = 3
    cudaMemcpyDefault = 4


class cudaStream_t(Handle):
    """A stream."""


class cudaEvent_t(Handle):
    """An event."""


def attribute(attrib: int, device: Any) -> int:
    """Return an attribute of the host device."""
    number = int(attrib)
    return _CAPABILITY[number] if number in _CAPABILITY else runtime.deviceGetAttribute(number, as_int(device))


def _place(value: Any) -> int:
    """Return an address: of a handle, as a number, or of an object on the host."""
    return as_int(value) if isinstance(value, Handle) else host_address(value)


@answering(cudaError_t, 1)
def cudaGetErrorName(error: Any) -> bytes:
    """Return the name of a status."""
    return cudaError_t(error).name.encode()


@answering(cudaError_t, 1)
def cudaGetErrorString(error: Any) -> bytes:
    """Return the name of a status, in place of a sentence."""
    return cudaError_t(error).name.encode()


@answering(cudaError_t, 1)
def cudaGetDevice() -> int:
    """Return the number of the current device."""
    return runtime.getDevice()


@answering(cudaError_t)
def cudaSetDevice(device: int) -> None:
    """Make a device the current one."""
    runtime.setDevice(device)


@answering(cudaError_t, 1)
def cudaGetDeviceCount() -> int:
    """Return the number of devices."""
    return runtime.getDeviceCount()


cudaDeviceGetAttribute = answering(cudaError_t, 1)(attribute)


@answering(cudaError_t)
def cudaDeviceSynchronize() -> None:
    """Wait for everything on the device."""
    runtime.deviceSynchronize()


@answering(cudaError_t, 1)
def cudaMalloc(size: int) -> int:
    """Allocate device memory."""
    return runtime.malloc(size)


@answering(cudaError_t, 1)
def cudaMallocAsync(size: int, hStream: Any) -> int:
    """Allocate device memory in the order of a stream."""
    return runtime.mallocAsync(size, as_int(hStream))


@answering(cudaError_t)
def cudaFree(devPtr: Any) -> None:
    """Free device memory."""
    runtime.free(as_int(devPtr))


@answering(cudaError_t)
def cudaFreeAsync(devPtr: Any, hStream: Any) -> None:
    """Free device memory in the order of a stream."""
    runtime.freeAsync(as_int(devPtr), as_int(hStream))


@answering(cudaError_t)
def cudaMemcpy(dst: Any, src: Any, count: int, kind: int) -> None:
    """Copy on the default stream."""
    runtime.memcpy(_place(dst), _place(src), count, int(kind))


@answering(cudaError_t)
def cudaMemcpyAsync(dst: Any, src: Any, count: int, kind: int, stream: Any) -> None:
    """Copy as work on a stream."""
    runtime.memcpyAsync(_place(dst), _place(src), count, int(kind), as_int(stream))


@answering(cudaError_t)
def cudaMemset(devPtr: Any, value: int, count: int) -> None:
    """Fill on the default stream."""
    runtime.memset(as_int(devPtr), value, count)


@answering(cudaError_t)
def cudaMemsetAsync(devPtr: Any, value: int, count: int, stream: Any) -> None:
    """Fill as work on a stream."""
    runtime.memsetAsync(as_int(devPtr), value, count, as_int(stream))


@answering(cudaError_t, 1)
def cudaStreamCreate() -> cudaStream_t:
    """Return a new stream."""
    return cudaStream_t(runtime.streamCreate())


@answering(cudaError_t, 1)
def cudaStreamCreateWithFlags(flags: int) -> cudaStream_t:
    """Return a new stream."""
    return cudaStream_t(runtime.streamCreateWithFlags(flags))


@answering(cudaError_t)
def cudaStreamDestroy(stream: Any) -> None:
    """Forget a stream."""
    runtime.streamDestroy(as_int(stream))


@answering(cudaError_t)
def cudaStreamSynchronize(stream: Any) -> None:
    """Wait for a stream."""
    runtime.streamSynchronize(as_int(stream))


@answering(cudaError_t)
def cudaStreamWaitEvent(stream: Any, event: Any, flags: int = 0) -> None:
    """Make a stream wait for an event."""
    runtime.streamWaitEvent(as_int(stream), as_int(event), flags)


@answering(cudaError_t, 1)
def cudaEventCreate() -> cudaEvent_t:
    """Return a new event."""
    return cudaEvent_t(runtime.eventCreate())


@answering(cudaError_t)
def cudaEventRecord(event: Any, stream: Any) -> None:
    """Mark the work that a stream has so far."""
    runtime.eventRecord(as_int(event), as_int(stream))


@answering(cudaError_t)
def cudaEventSynchronize(event: Any) -> None:
    """Wait for an event."""
    runtime.eventSynchronize(as_int(event))


@answering(cudaError_t)
def cudaEventDestroy(event: Any) -> None:
    """Forget an event."""
    runtime.eventDestroy(as_int(event))


def __getattr__(name: str) -> Any:
    return missing("cuda.bindings.runtime", name)
