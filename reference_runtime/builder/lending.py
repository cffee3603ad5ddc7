"""Time plugins with the application's resources: memory from the builder's allocator, and the profile stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from msgspec import Struct

from reference_runtime.application import allocators
from reference_runtime.devices.base import ALIGNMENT
from reference_runtime.devices.records import DeviceFault
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.devices.base import Buffer, Device, Stream

_POISON: Final = 0xA5
_DEFAULT_STREAM: Final = 0


def lending(device: Device, gate: Gate, allocator: Any, stream: int = 0) -> Device:
    """Return a device whose new memory comes from ``allocator``, and whose new streams are all ``stream``.

    Without an allocator the device provides the memory, and without a stream the streams.
    """
    if allocator is None and not stream:
        return device
    return cast("Device", _Lender(device, gate, allocator, stream))


class _Lender:
    """A device whose memory and streams come from the application."""

    def __init__(self, device: Device, gate: Gate, allocator: Any, stream: int) -> None:
        self._device, self._gate, self._allocator, self._stream = device, gate, allocator, stream

    def __getattr__(self, name: str) -> Any:
        """Return the device's attribute: this class replaces only memory and streams."""
        return getattr(self._device, name)

    def allocate(self, nbytes: int, *, label: str = "") -> Buffer:
        """Return memory from the application's allocator, filled with stray bytes; refuse memory off the device."""
        if self._allocator is None:
            return allocators.of_device(self._device, nbytes, label)
        address = allocators.allocate(self._gate, self._allocator, nbytes, ALIGNMENT)
        if not address and nbytes:
            raise Refused(f"the application's allocator gave no memory for {nbytes} bytes ({label})", Reason.ALLOCATION)
        try:
            if nbytes:
                self._device.reach(address, nbytes)
        except DeviceFault as fault:
            why = f"the application's allocator gave address {address:#x} for {nbytes} bytes ({label}): {fault}"
            raise Refused(why, Reason.ALLOCATION) from fault
        lent = _Lent(self, address, nbytes, label)
        lent.fill(_POISON)
        return lent

    def new_stream(self) -> Stream:
        """Return the application's stream, if there is one."""
        return _Given(self._device, self._stream) if self._stream else self._device.new_stream()

    def give_back(self, address: int) -> None:
        """Return memory to the application."""
        allocators.deallocate(self._gate, self._allocator, address)


class _Given(Struct, frozen=True):
    """The application's stream."""

    device: Device
    handle: int

    def synchronize(self) -> None:
        """Wait for all work of the device, which knows only the handle of this stream."""
        self.device.synchronize()


class _Lent:
    """One allocation from the application's allocator."""

    def __init__(self, lender: _Lender, address: int, nbytes: int, label: str) -> None:
        self._lender = lender
        self.address, self.nbytes, self.label = address, nbytes, label

    def write(self, data: npt.NDArray[Any] | bytes) -> None:
        """Copy ``data`` to the beginning."""
        self._lender.store(self.address, np.asarray(data).tobytes(), stream=_DEFAULT_STREAM)

    def read(self, dtype: npt.DTypeLike, shape: Sequence[int] | int) -> npt.NDArray[Any]:
        """Return a copy of the beginning as an array."""
        count = int(np.prod(shape)) * np.dtype(dtype).itemsize
        data: bytes = self._lender.fetch(self.address, count, stream=_DEFAULT_STREAM)
        array: npt.NDArray[Any] = np.frombuffer(data, dtype).reshape(shape).copy()
        return array

    def fill(self, byte: int) -> None:
        """Set every byte."""
        self._lender.store(self.address, bytes([byte]) * self.nbytes, stream=_DEFAULT_STREAM)

    def free(self) -> None:
        """Give the memory back."""
        self._lender.give_back(self.address)
