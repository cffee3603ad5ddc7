"""Copy and fill memory by address, direction and stream, as the CUDA runtime does."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from reference_runtime.bridges.cupy.cuda import constants
from reference_runtime.bridges.cupy.cuda.status import INVALID_DIRECTION, INVALID_VALUE, CUDARuntimeError
from reference_runtime.devices import host

if TYPE_CHECKING:
    from reference_runtime.devices.records import Kind

__all__ = ["copy", "fill", "involves_host"]

_DEVICE_SOURCES = (constants.memcpyDeviceToHost, constants.memcpyDeviceToDevice)
_DEVICE_TARGETS = (constants.memcpyHostToDevice, constants.memcpyDeviceToDevice)
_END_OF_USER_SPACE = 1 << 47


def copy(target: int, source: int, nbytes: int, direction: int, stream: int) -> None:
    """Copy ``nbytes`` bytes as work on ``stream``.

    An address that the direction places on the device must be in device memory. An address that it places on the host
    may be in either memory. CUDA recognizes device memory itself (observed with CUDA 13.0 on an H100).

    Raises:
        CUDARuntimeError: The direction or an address is invalid.
    """
    if not constants.memcpyHostToHost <= direction <= constants.memcpyDefault:
        raise CUDARuntimeError(INVALID_DIRECTION)
    if nbytes == 0:
        return
    reads_device = host.is_device_address(source) or direction in _DEVICE_SOURCES
    writes_device = host.is_device_address(target) or direction in _DEVICE_TARGETS
    read = _memory(source, nbytes, "read", stream, on_device=reads_device)
    _memory(target, nbytes, "write", stream, on_device=writes_device)[:] = read


def fill(target: int, byte: int, nbytes: int, stream: int) -> None:
    """Set ``nbytes`` bytes of device memory as work on ``stream``."""
    if nbytes:
        memory = _memory(target, nbytes, "write", stream, on_device=True)
        memory[:] = bytes([byte & 0xFF]) * nbytes


def involves_host(target: int, source: int) -> bool:
    """Return whether a copy reads or writes host memory; ``cudaMemcpy`` then waits until it is done."""
    return not (host.is_device_address(target) and host.is_device_address(source))


def _memory(address: int, nbytes: int, kind: Kind, stream: int, *, on_device: bool) -> memoryview:
    if not on_device:
        return _host_memory(address, nbytes)
    try:
        return host.access(address, nbytes, kind, stream=stream)
    except host.DeviceFault as fault:
        raise CUDARuntimeError(INVALID_VALUE) from fault


def _host_memory(address: int, nbytes: int) -> memoryview:
    """Return memory of this process; for a number that cannot be an address in it, raise CUDA's error."""
    if not 0 < address < _END_OF_USER_SPACE:
        raise CUDARuntimeError(INVALID_VALUE)
    memory: memoryview = np.ctypeslib.as_array((ctypes.c_ubyte * nbytes).from_address(address)).data
    return memory
