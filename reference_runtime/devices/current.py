"""Keep the current device of this process: a host device unless another device was chosen."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from reference_runtime.devices import host

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference_runtime.devices.base import Device

    AnyDevice = TypeVar("AnyDevice", bound=Device)

_IN_USE: Final[list[Device]] = []


def current_device() -> Device:
    """Return the device in use; a process that never chose a device gets a new host device."""
    return _IN_USE[-1] if _IN_USE else host.current_device()


@contextmanager
def use(device: AnyDevice) -> Iterator[AnyDevice]:
    """Make ``device`` the current device of all threads within the block."""
    _IN_USE.append(device)
    try:
        if isinstance(device, host.HostDevice):
            with host.use(device):
                yield device
        else:
            yield device
    finally:
        _IN_USE.remove(device)
