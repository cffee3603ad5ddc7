"""Memory of a CUDA device: guarded, poisoned buffers, and arenas that are lent in pieces.

Theory. As on the host, the payload of a buffer is between two guard bands with a known pattern. It begins with poison.
The device runs work after the calls that submit it. So every function here first waits for all work on the device.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from reference_runtime.devices.base import GUARD
from reference_runtime.devices.cuda_api import runtime
from reference_runtime.devices.cuda_calls import quietly
from reference_runtime.devices.host_buffers import damage_of, guard_pattern, poison_byte
from reference_runtime.devices.records import FaultKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from reference_runtime.devices.records import Damage, Owner, Source

_TO_DEVICE: Final = 1
_TO_HOST: Final = 2
_FREED: Final = 0xDD


def upload(address: int, data: bytes) -> None:
    """Write to device memory, once all work on the device is done."""
    with quietly():
        runtime().deviceSynchronize()
        if data:
            runtime().memcpy(address, np.frombuffer(data, np.uint8).ctypes.data, len(data), _TO_DEVICE)
            runtime().deviceSynchronize()


def download(address: int, nbytes: int) -> npt.NDArray[np.uint8]:
    """Return the content of device memory, once all work on the device is done."""
    content = np.empty(nbytes, np.uint8)
    with quietly():
        runtime().deviceSynchronize()
        if nbytes:
            runtime().memcpy(content.ctypes.data, address, nbytes, _TO_HOST)
    return content


def _fill(address: int, byte: int, nbytes: int) -> None:
    with quietly():
        runtime().deviceSynchronize()
        if nbytes:
            runtime().memset(address, byte, nbytes)
            runtime().deviceSynchronize()


class CudaBuffer:
    """One allocation, or a piece of an arena; its address is the device's own."""

    def __init__(
        self, address: int, nbytes: int, *, label: str, owner: Owner, source: Source, on_free: Callable[[Any], None]
    ) -> None:
        """Take the payload at ``address``, which has room for a guard band on either side."""
        self.address = address
        self.nbytes = nbytes
        self.label = label
        self.owner: Owner = owner
        self.source: Source = source
        self.freed = False
        self._on_free = on_free

    def write(self, data: npt.NDArray[Any] | bytes) -> None:
        """Copy ``data`` to the beginning of the buffer, the elements of an array in C order.

        Raises:
            ValueError: The data are longer than the buffer.
        """
        raw = data if isinstance(data, bytes) else np.ascontiguousarray(data).tobytes()
        if len(raw) > self.nbytes:
            raise ValueError(f"{len(raw)} bytes do not fit into {self!r}")
        upload(self.address, raw)

    def read(self, dtype: npt.DTypeLike, shape: Sequence[int] | int) -> npt.NDArray[Any]:
        """Return a copy of the beginning of the buffer as an array.

        Raises:
            ValueError: The array would be longer than the buffer.
        """
        dims = (shape,) if isinstance(shape, int) else tuple(shape)
        size = math.prod(dims) * np.dtype(dtype).itemsize
        if size > self.nbytes:
            raise ValueError(f"{np.dtype(dtype)}{list(dims)} takes {size} bytes, more than {self!r} has")
        return np.array(np.frombuffer(download(self.address, size).tobytes(), dtype).reshape(dims))

    def fill(self, byte: int) -> None:
        """Set every byte of the buffer to ``byte``."""
        _fill(self.address, byte, self.nbytes)

    def poison(self, seed: int = 0) -> None:
        """Fill the payload with poison, and restore the guard bands."""
        self.fill(poison_byte(seed))
        for start in (self.address - GUARD, self.address + self.nbytes):
            upload(start, guard_pattern().tobytes())

    def abandon(self) -> None:
        """Fill the payload and the guard bands with poison, which marks free memory of an arena."""
        _fill(self.address - GUARD, poison_byte(0), self.nbytes + 2 * GUARD)

    def is_abandoned(self) -> bool:
        """Return whether the payload and the guard bands still have the poison of ``abandon``."""
        return bool((download(self.address - GUARD, self.nbytes + 2 * GUARD) == poison_byte(0)).all())

    def damage(self) -> list[Damage]:
        """Return the damage to the guard bands; freed memory is not checked."""
        if self.freed:
            return []
        bands: tuple[tuple[Literal["before", "after"], int], ...] = (("before", -GUARD), ("after", self.nbytes))
        return [each for side, start in bands for each in damage_of(side, download(self.address + start, GUARD), start)]

    def free(self) -> None:
        """Give the memory back."""
        self._on_free(self)

    def retire(self) -> None:
        """Mark the buffer as freed and overwrite its content."""
        self.fill(_FREED)
        self.freed = True

    def __process_state__(self) -> object:
        """Return what may change between the tasks of a process, beside the content."""
        return self.address, self.nbytes, self.freed

    def __repr__(self) -> str:
        return f"<{self.label or self.owner} buffer of {self.nbytes} bytes at {self.address:#x}>"


class CudaArena:
    """Memory that is lent in pieces; the owner of ``shared`` memory may use it between executions."""

    def __init__(self, address: int, nbytes: int, report: Callable[..., object], *, shared: bool) -> None:
        self.address = address
        self.nbytes = nbytes
        self._report = report
        self._shared = shared
        if not shared:
            _fill(address, poison_byte(0), nbytes)

    def piece(self, offset: int, nbytes: int, *, label: str) -> CudaBuffer:
        """Return the piece at ``offset``; it is not lent yet."""
        address = self.address + offset
        return CudaBuffer(address, nbytes, label=label, owner="runtime", source="malloc", on_free=self.take_back)

    def lend(self, piece: CudaBuffer) -> None:
        """Poison a piece for its next use; report a write to it while it was not lent."""
        if not self._shared and not piece.is_abandoned():
            self._tell(piece.address, piece.nbytes, piece.label)
        piece.poison()

    def take_back(self, piece: CudaBuffer) -> None:
        """Take a piece back; damage to its guard bands becomes a fault of the device."""
        for damage in piece.damage():
            what = f"{damage.nbytes} bytes {damage.side} {piece!r} were overwritten"
            self._report(FaultKind.OVERWRITTEN, piece.address + damage.offset, damage.nbytes, piece.label, what)
        piece.abandon()

    def close(self) -> None:
        """Check for writes to the arena while no piece was lent; called before it is freed."""
        if self._shared:
            return
        (wrong,) = np.nonzero(download(self.address, self.nbytes) != poison_byte(0))
        if len(wrong):
            self._tell(self.address + int(wrong[0]), len(wrong), "arena")

    def __process_state__(self) -> object:
        """Return what may change between the tasks of a process, beside the content."""
        return self.address, self.nbytes

    def _tell(self, address: int, nbytes: int, label: str) -> None:
        what = f"memory at {address:#x} was overwritten while no buffer was lent there: an address was used too late"
        self._report(FaultKind.OVERWRITTEN, address, nbytes, label, what)
