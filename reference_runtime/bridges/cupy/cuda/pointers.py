"""Device memory that CuPy or another library owns, and pointers into it."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from reference_runtime.bridges.cupy.cuda import constants, runtime
from reference_runtime.bridges.cupy.cuda.device import Device
from reference_runtime.bridges.cupy.cuda.stream import get_current_stream

if TYPE_CHECKING:
    from reference_runtime.bridges.cupy.cuda.stream import Stream

__all__ = ["BaseMemory", "ManagedMemory", "Memory", "MemoryPointer", "UnownedMemory", "as_size"]


class BaseMemory:
    """An allocation of device memory."""

    def __init__(self, ptr: int, size: int, device_id: int) -> None:
        self.ptr = ptr
        self.size = size
        self.device_id = device_id

    @property
    def device(self) -> Device:
        """The device that the memory is on."""
        return Device(self.device_id)


class Memory(BaseMemory):
    """Memory from ``cudaMalloc``, freed with this object."""

    def __init__(self, size: int) -> None:
        super().__init__(runtime.malloc(as_size(size)), size, runtime.getDevice())
        if self.ptr:
            weakref.finalize(self, runtime.free, self.ptr).atexit = False


class ManagedMemory(Memory):
    """Managed memory, which is device memory here."""


class UnownedMemory(BaseMemory):
    """Memory of another ``owner``, which is kept alive."""

    def __init__(self, ptr: int, size: int, owner: object, device_id: int = -1) -> None:
        if not hasattr(ptr, "__index__"):
            raise TypeError("an integer is required")
        if device_id < 0:
            if ptr == 0:
                raise RuntimeError("UnownedMemory requires explicit device ID for a null pointer.")
            device_id = runtime.pointerGetAttributes(ptr).device
        super().__init__(int(ptr), as_size(size), device_id)
        self._owner = owner


class MemoryPointer:
    """A pointer into an allocation."""

    def __init__(self, mem: BaseMemory, offset: int) -> None:
        if not isinstance(mem, BaseMemory):
            raise TypeError(
                f"Argument 'mem' has incorrect type (expected cupy.cuda.memory.BaseMemory, got {type(mem).__name__})"
            )
        self.mem = mem
        self.ptr = mem.ptr + offset
        self.device_id = mem.device_id

    @property
    def device(self) -> Device:
        """The device that the memory is on."""
        return self.mem.device

    def copy_from_device(self, src: MemoryPointer, size: int) -> None:
        """Copy from device memory, on the default stream."""
        runtime.memcpy(self.ptr, _pointer(src).ptr, size, constants.memcpyDefault)

    def copy_from_device_async(self, src: MemoryPointer, size: int, stream: Stream | None = None) -> None:
        """Copy from device memory, on ``stream`` or the current one."""
        runtime.memcpyAsync(self.ptr, _pointer(src).ptr, size, constants.memcpyDefault, _handle(stream))

    def copy_from_host(self, mem: Any, size: int) -> None:
        """Copy from an address of the host, on the default stream."""
        runtime.memcpy(self.ptr, _address(mem), size, constants.memcpyHostToDevice)

    def copy_from_host_async(self, mem: Any, size: int, stream: Stream | None = None) -> None:
        """Copy from an address of the host, on ``stream`` or the current one."""
        runtime.memcpyAsync(self.ptr, _address(mem), size, constants.memcpyHostToDevice, _handle(stream))

    def copy_from(self, mem: Any, size: int) -> None:
        """Copy from device memory or an address of the host, on the default stream."""
        if isinstance(mem, MemoryPointer):
            self.copy_from_device(mem, size)
        else:
            self.copy_from_host(mem, size)

    def copy_from_async(self, mem: Any, size: int, stream: Stream | None = None) -> None:
        """Copy from device memory or an address of the host, on ``stream`` or the current one."""
        if isinstance(mem, MemoryPointer):
            self.copy_from_device_async(mem, size, stream)
        else:
            self.copy_from_host_async(mem, size, stream)

    def copy_to_host(self, mem: Any, size: int) -> None:
        """Copy to an address of the host, on the default stream."""
        runtime.memcpy(_address(mem), self.ptr, size, constants.memcpyDeviceToHost)

    def copy_to_host_async(self, mem: Any, size: int, stream: Stream | None = None) -> None:
        """Copy to an address of the host, on ``stream`` or the current one."""
        runtime.memcpyAsync(_address(mem), self.ptr, size, constants.memcpyDeviceToHost, _handle(stream))

    def memset(self, value: int, size: int) -> None:
        """Fill with a byte, on the default stream."""
        runtime.memset(self.ptr, value, size)

    def memset_async(self, value: int, size: int, stream: Stream | None = None) -> None:
        """Fill with a byte, on ``stream`` or the current one."""
        runtime.memsetAsync(self.ptr, value, size, _handle(stream))

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self.mem, self.ptr - self.mem.ptr + offset)

    __radd__ = __add__

    def __sub__(self, offset: int) -> MemoryPointer:
        return self + -offset

    def __int__(self) -> int:
        return self.ptr

    def __repr__(self) -> str:
        return f"<MemoryPointer {self.ptr:#x} device={self.device_id} mem={self.mem!r}>"


def as_size(size: float) -> int:
    """Return a size in bytes as an int.

    Raises:
        OverflowError: The size is negative.
    """
    if size < 0:
        raise OverflowError("can't convert negative value to size_t")
    return int(size)


def _handle(stream: Stream | None) -> int:
    handle: int = (get_current_stream() if stream is None else stream).ptr
    return handle


def _pointer(src: MemoryPointer) -> MemoryPointer:
    if not isinstance(src, MemoryPointer):
        raise TypeError(
            f"Argument 'src' has incorrect type (expected cupy.cuda.memory.MemoryPointer, got {type(src).__name__})"
        )
    return src


def _address(mem: Any) -> int:
    """Return the host address in a ctypes pointer or an int."""
    address: int | None = mem if isinstance(mem, int) else mem.value
    return address or 0
