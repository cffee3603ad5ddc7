"""``cuda.bindings.driver``: contexts without effect, modules from NVRTC, memory, streams and launches.

The module is long because CUDA has many functions; each has only a few lines.
"""

from __future__ import annotations

import enum
from typing import Any

from reference_runtime.bridges.cuda_python.answers import CUresult, answering, missing
from reference_runtime.bridges.cuda_python.arguments import arguments_of
from reference_runtime.bridges.cuda_python.bindings.runtime import attribute
from reference_runtime.bridges.cuda_python.handles import Handle, as_int, host_address
from reference_runtime.bridges.cuda_python.images import source_in
from reference_runtime.bridges.cupy.cuda import constants, runtime
from reference_runtime.bridges.cupy.cuda.status import INVALID_VALUE, CUDARuntimeError
from reference_runtime.bridges.stand_ins import Kernel, Launch, launch

__all__ = ["CUresult"]

_CONTEXT = 1  # the only context


class CUdevice_attribute(enum.IntEnum):
    """The attributes of the host device."""

    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76


class CUstream_flags(enum.IntEnum):
    """The order of a stream relative to the default stream."""

    CU_STREAM_DEFAULT = 0
    CU_STREAM_NON_BLOCKING = 1


class CUdevice(Handle):
    """A device."""


class CUcontext(Handle):
    """A context."""


class CUdeviceptr(Handle):
    """An address of device memory."""


class CUstream(Handle):
    """A stream."""


class CUevent(Handle):
    """An event."""


class CUmodule:
    """A module, with the source of its kernels; empty if the source is unknown."""

    def __init__(self, source: str = "") -> None:
        self.source = source


class CUfunction:
    """A kernel of a module."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel


# --- status, device and context


@answering(CUresult, 1)
def cuGetErrorName(error: Any) -> bytes:
    """Return the name of a status."""
    return CUresult(error).name.encode()


@answering(CUresult, 1)
def cuGetErrorString(error: Any) -> bytes:
    """Return the name of a status, in place of a sentence."""
    return CUresult(error).name.encode()


@answering(CUresult)
def cuInit(Flags: int) -> None:
    """Do nothing: the device always exists."""


@answering(CUresult, 1)
def cuDriverGetVersion() -> int:
    """Return the emulated driver version."""
    return runtime.driverGetVersion()


@answering(CUresult, 1)
def cuDeviceGet(ordinal: int) -> CUdevice:
    """Return a device by its number."""
    runtime.setDevice(ordinal)
    return CUdevice(ordinal)


@answering(CUresult, 1)
def cuDeviceGetCount() -> int:
    """Return the number of devices."""
    return runtime.getDeviceCount()


cuDeviceGetAttribute = answering(CUresult, 1)(attribute)


@answering(CUresult, 1)
def cuCtxCreate(*arguments: Any) -> CUcontext:
    """Return the only context; CUDA 13 has one parameter more than CUDA 12."""
    return CUcontext(_CONTEXT)


@answering(CUresult, 1)
def cuCtxGetCurrent() -> CUcontext:
    """Return the context."""
    return CUcontext(_CONTEXT)


@answering(CUresult, 1)
def cuCtxGetDevice() -> CUdevice:
    """Return the device of the context."""
    return CUdevice(runtime.getDevice())


@answering(CUresult, 1)
def cuDevicePrimaryCtxRetain(dev: Any) -> CUcontext:
    """Return the context."""
    return CUcontext(_CONTEXT)


@answering(CUresult)
def cuDevicePrimaryCtxRelease(dev: Any) -> None:
    """Do nothing: the context always exists."""


@answering(CUresult)
def cuCtxSetCurrent(ctx: Any) -> None:
    """Do nothing: there is only one context."""


cuCtxPushCurrent = cuCtxDestroy = cuCtxSetCurrent


@answering(CUresult, 1)
def cuCtxPopCurrent() -> CUcontext:
    """Return the only context, which stays current."""
    return CUcontext(_CONTEXT)


@answering(CUresult)
def cuCtxSynchronize() -> None:
    """Wait for everything on the device."""
    runtime.deviceSynchronize()


# --- modules and launches


@answering(CUresult, 1)
def cuModuleLoadData(image: Any) -> CUmodule:
    """Return the module in NVRTC's output, or in an image of another compiler, whose source is unknown."""
    return CUmodule(source_in(image))


@answering(CUresult, 1)
def cuModuleLoadDataEx(image: Any, numOptions: int, options: Any, optionValues: Any) -> CUmodule:
    """Return the module in an image; the compiler's options have no effect."""
    return CUmodule(source_in(image))


@answering(CUresult)
def cuModuleUnload(hmod: CUmodule) -> None:
    """Forget a module."""


@answering(CUresult, 1)
def cuModuleGetFunction(hmod: CUmodule, name: bytes) -> CUfunction:
    """Return a kernel of a module."""
    return CUfunction(Kernel(name.decode(), "kernel of cuda-python", hmod.source))


@answering(CUresult)
def cuFuncSetAttribute(hfunc: CUfunction, attrib: Any, value: int) -> None:
    """Do nothing: no kernel runs here."""


@answering(CUresult)
def cuLaunchKernel(  # noqa: PLR0917 - CUDA's signature
    f: CUfunction,
    gridDimX: int,
    gridDimY: int,
    gridDimZ: int,
    blockDimX: int,
    blockDimY: int,
    blockDimZ: int,
    sharedMemBytes: int,
    hStream: Any,
    kernelParams: Any,
    extra: Any = 0,
) -> None:
    """Launch a kernel: call its stand-in."""
    grid = int(gridDimX), int(gridDimY), int(gridDimZ)
    block = int(blockDimX), int(blockDimY), int(blockDimZ)
    if min(*grid, *block) < 1:
        raise CUDARuntimeError(INVALID_VALUE)
    how = Launch(f.kernel.name, grid, block, int(sharedMemBytes))
    launch(f.kernel, how, arguments_of(f.kernel, kernelParams), as_int(hStream))


# --- memory


@answering(CUresult, 1)
def cuMemAlloc(bytesize: int) -> CUdeviceptr:
    """Allocate device memory; unlike the runtime, the driver returns an error for 0 bytes."""
    if bytesize == 0:
        raise CUDARuntimeError(INVALID_VALUE)
    return CUdeviceptr(runtime.malloc(int(bytesize)))


@answering(CUresult, 1)
def cuMemAllocAsync(bytesize: int, hStream: Any) -> CUdeviceptr:
    """Allocate device memory in the order of a stream."""
    return CUdeviceptr(runtime.mallocAsync(int(bytesize), as_int(hStream)))


@answering(CUresult)
def cuMemFree(dptr: Any) -> None:
    """Free device memory."""
    runtime.free(as_int(dptr))


@answering(CUresult)
def cuMemFreeAsync(dptr: Any, hStream: Any) -> None:
    """Free device memory in the order of a stream."""
    runtime.freeAsync(as_int(dptr), as_int(hStream))


@answering(CUresult)
def cuMemcpyHtoD(dstDevice: Any, srcHost: Any, ByteCount: int) -> None:
    """Copy from the host."""
    runtime.memcpy(as_int(dstDevice), host_address(srcHost), int(ByteCount), constants.memcpyHostToDevice)


@answering(CUresult)
def cuMemcpyHtoDAsync(dstDevice: Any, srcHost: Any, ByteCount: int, hStream: Any) -> None:
    """Copy from the host as work on a stream."""
    source, kind = host_address(srcHost), constants.memcpyHostToDevice
    runtime.memcpyAsync(as_int(dstDevice), source, int(ByteCount), kind, as_int(hStream))


@answering(CUresult)
def cuMemcpyDtoH(dstHost: Any, srcDevice: Any, ByteCount: int) -> None:
    """Copy to the host."""
    runtime.memcpy(host_address(dstHost), as_int(srcDevice), int(ByteCount), constants.memcpyDeviceToHost)


@answering(CUresult)
def cuMemcpyDtoHAsync(dstHost: Any, srcDevice: Any, ByteCount: int, hStream: Any) -> None:
    """Copy to the host as work on a stream."""
    target, kind = host_address(dstHost), constants.memcpyDeviceToHost
    runtime.memcpyAsync(target, as_int(srcDevice), int(ByteCount), kind, as_int(hStream))


@answering(CUresult)
def cuMemcpyDtoD(dstDevice: Any, srcDevice: Any, ByteCount: int) -> None:
    """Copy on the device."""
    runtime.memcpy(as_int(dstDevice), as_int(srcDevice), int(ByteCount), constants.memcpyDeviceToDevice)


@answering(CUresult)
def cuMemcpyDtoDAsync(dstDevice: Any, srcDevice: Any, ByteCount: int, hStream: Any) -> None:
    """Copy on the device as work on a stream."""
    source, kind = as_int(srcDevice), constants.memcpyDeviceToDevice
    runtime.memcpyAsync(as_int(dstDevice), source, int(ByteCount), kind, as_int(hStream))


@answering(CUresult)
def cuMemsetD8(dstDevice: Any, uc: int, N: int) -> None:
    """Fill on the default stream."""
    runtime.memset(as_int(dstDevice), uc, N)


@answering(CUresult)
def cuMemsetD8Async(dstDevice: Any, uc: int, N: int, hStream: Any) -> None:
    """Fill as work on a stream."""
    runtime.memsetAsync(as_int(dstDevice), uc, N, as_int(hStream))


# --- streams and events


@answering(CUresult, 1)
def cuStreamCreate(Flags: int) -> CUstream:
    """Return a new stream."""
    return CUstream(runtime.streamCreateWithFlags(int(Flags)))


@answering(CUresult)
def cuStreamDestroy(hStream: Any) -> None:
    """Forget a stream."""
    runtime.streamDestroy(as_int(hStream))


@answering(CUresult)
def cuStreamSynchronize(hStream: Any) -> None:
    """Wait for a stream."""
    runtime.streamSynchronize(as_int(hStream))


@answering(CUresult)
def cuStreamWaitEvent(hStream: Any, hEvent: Any, Flags: int) -> None:
    """Make a stream wait for an event."""
    runtime.streamWaitEvent(as_int(hStream), as_int(hEvent), Flags)


@answering(CUresult, 1)
def cuEventCreate(Flags: int) -> CUevent:
    """Return a new event."""
    return CUevent(runtime.eventCreateWithFlags(Flags))


@answering(CUresult)
def cuEventRecord(hEvent: Any, hStream: Any) -> None:
    """Mark the work that a stream has so far."""
    runtime.eventRecord(as_int(hEvent), as_int(hStream))


@answering(CUresult)
def cuEventSynchronize(hEvent: Any) -> None:
    """Wait for an event."""
    runtime.eventSynchronize(as_int(hEvent))


@answering(CUresult)
def cuEventDestroy(hEvent: Any) -> None:
    """Forget an event."""
    runtime.eventDestroy(as_int(hEvent))


def __getattr__(name: str) -> Any:
    return missing("cuda.bindings.driver", name)
