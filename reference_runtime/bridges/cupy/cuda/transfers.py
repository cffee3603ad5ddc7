"""Copies and fills of raw memory, as the CUDA runtime does them: by address, direction and stream."""

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
    """Copy ``nbytes`` bytes as work on ``stream``; for a bad address raise CUDA's error for an invalid argument.

    A side that the direction places on the device must be memory of the device. A side that it places on the host may
    be either. CUDA knows the side of an address (observed with CUDA 13.0 on an H100, all directions and sides).
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
    """Say whether a copy reads or writes memory of the host, so that ``cudaMemcpy`` waits for it."""
    return not (host.is_device_address(target) and host.is_device_address(source))


def _memory(address: int, nbytes: int, kind: Kind, stream: int, *, on_device: bool) -> memoryview:
    if not on_device:
        return _host_memory(address, nbytes)
    try:
        return host.access(address, nbytes, kind, stream=stream)
    except host.DeviceFault as fault:
        raise CUDARuntimeError(INVALID_VALUE) from fault


def _host_memory(address: int, nbytes: int) -> memoryview:
    """Return memory of this process; a number that cannot be its address is refused, not dereferenced."""
    if not 0 < address < _END_OF_USER_SPACE:
        raise CUDARuntimeError(INVALID_VALUE)
    found: memoryview = np.ctypeslib.as_array((ctypes.c_ubyte * nbytes).from_address(address)).data
    return found
