"""Simulate a machine without a GPU: each use of a device raises CUDA's error."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NoReturn

from reference_runtime.devices.current import current_device, use
from reference_runtime.devices.host import HostDevice
from reference_runtime.instruments import NeedsHost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference_runtime.devices.host import HostBuffer, HostEvent, HostStream


class NoDeviceError(RuntimeError):
    """The error of CUDA's runtime on a machine without a device."""

    def __init__(self) -> None:
        super().__init__("cudaErrorNoDevice: no CUDA-capable device is detected")


class _AbsentDevice(HostDevice):
    """A device that refuses to allocate, to make streams and events, and to synchronize."""

    def allocate(self, *_: object, **__: object) -> HostBuffer:
        raise NoDeviceError

    def new_stream(self, **_: object) -> HostStream:
        raise NoDeviceError

    def new_event(self) -> HostEvent:
        raise NoDeviceError

    def synchronize(self, *_: object, **__: object) -> NoReturn:
        raise NoDeviceError


@contextlib.contextmanager
def without_device() -> Iterator[None]:
    """Make the device refuse all work in the block; memory that a plugin has allocated before stays valid.

    Raises:
        NeedsHost: The device in use is a GPU.
    """
    if not isinstance(current_device(), HostDevice):
        raise NeedsHost("a machine without a device")
    with use(_AbsentDevice()):
        yield
